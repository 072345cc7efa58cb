import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HeaderBlocks } from "./header-blocks.ts";

test("[SPDY2] headers are compressed from block to block, and come out as they went in", async () => {
  const headers = fc.dictionary(fc.stringMatching(/^[a-z-]{1,20}$/), fc.string({ unit: "grapheme" }), { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.array(headers, { maxLength: 5 }), async (sent) => {
      using near = new HeaderBlocks();
      using far = new HeaderBlocks();
      for (const one of sent) assert.deepEqual(await far.read(await near.write(one)), one);
    }),
  );
});

test("[SPDY2] the first block says from which dictionary it was compressed", async () => {
  using blocks = new HeaderBlocks();
  assert.equal(Buffer.from(await blocks.write({})).toString("hex", 2, 6), "e3c6a7c2");
});
