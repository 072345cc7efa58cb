import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { receivedHeader, sentHeader } from "./header-text.ts";

test("what is sent as a header has one character for each byte, and is received as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const sent = sentHeader(text);
      assert.equal(sent.length, Buffer.byteLength(text));
      assert.equal(Buffer.from(sent, "latin1").toString("utf8"), text);
      assert.equal(receivedHeader(sent), text);
    }),
  );
});

test("letters whose low bytes are those of a line break do not become one", () => {
  assert.doesNotMatch(sentHeader("\u010d\u010a"), /[\r\n]/);
});
