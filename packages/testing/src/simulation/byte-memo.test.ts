import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteMemo } from "./byte-memo.ts";

test("the same bytes are read once, and other bytes are told apart in whatever place they differ", () => {
  let made = 0;
  const memo = new ByteMemo((bytes) => ({ number: ++made, length: bytes.length }));
  const [plain, accented, longer] = ["plain", "plaïn", "plain\0"].map((text) => memo.of(Buffer.from(text)));
  assert.deepEqual([plain?.number, accented?.number, longer?.number], [1, 2, 3]);
  assert.equal(memo.of(Uint8Array.from(Buffer.from("plain"))), plain);
  for (let index = 0; index < 2000; index++) memo.of(Buffer.from(`other ${index}`));
  assert.deepEqual(memo.of(Buffer.from("plain")), { number: made, length: 5 }, "what was long ago is read again");
});
