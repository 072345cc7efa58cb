import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { pack, unpack } from "./packed-text.ts";

test("what was packed is the same when it is unpacked, and takes less", () => {
  const property = fc.property(fc.string({ minLength: 20, maxLength: 200 }), fc.integer({ min: 10, max: 100 }), (line, times) => {
    const text = Buffer.from(line.repeat(times));
    const packed = pack(text) ?? assert.fail("repetition is packed");
    assert.ok(packed.length < text.length);
    assert.equal(packed.buffer.byteLength, packed.length, "it is no view of something larger");
    assert.deepEqual(unpack(packed, text.length), text);
  });
  fc.assert(property, { numRuns: 50 });
});

test("what would be hardly smaller is not packed", () => {
  assert.equal(pack(randomBytes(10_000)), undefined);
  assert.equal(pack(Buffer.alloc(0)), undefined);
});
