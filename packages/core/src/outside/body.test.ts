import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytes, bodyFromBytes, bodyText } from "./body.ts";

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text, "latin1");
}

test("a body is read to its end, whatever pieces it comes in", async () => {
  assert.equal(await bodyText(pieces("a", "", "bc")), "abc");
  assert.equal(await bodyText(pieces()), "");
  assert.equal(await bodyText(pieces("\xc3", "\xa4")), "ä");
});

test("a byte order mark is part of the text, for the parser to refuse", async () => {
  assert.equal(await bodyText(pieces("\xef\xbb\xbf{}")), "\ufeff{}");
});

test("bytes that come in one piece are not copied", async () => {
  const bytes = Buffer.from("{}");
  assert.equal(await bodyBytes(bodyFromBytes(bytes)), bytes);
});
