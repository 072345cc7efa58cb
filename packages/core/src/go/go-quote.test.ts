import assert from "node:assert/strict";
import { test } from "node:test";
import { quote, quoteBytes } from "./go-quote.ts";

test("quote writes what Go's %q writes", () => {
  assert.equal(quote('a "b" \\'), String.raw`"a \"b\" \\"`);
  assert.equal(quote("\u0000\u0007\b\f\n\r\t\v\u001f\u007f"), String.raw`"\x00\a\b\f\n\r\t\v\x1f\x7f"`);
  assert.equal(quote("é日本😀"), '"é日本😀"');
  assert.equal(quote("\u00a0\u200b\u2028\u{e0001}"), String.raw`"\u00a0\u200b\u2028\U000e0001"`);
});

test("half a surrogate pair, which Go cannot hold, is quoted as the replacement character", () => {
  assert.equal(quote("a\ud800b"), '"a\ufffdb"');
});

test("quoteBytes writes bytes outside ASCII in hexadecimal", () => {
  assert.equal(quoteBytes('é"\\\n\u007f'), String.raw`"\xc3\xa9\"\\\x0a` + '\u007f"');
});
