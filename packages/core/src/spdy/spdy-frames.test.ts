import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SpdyFrameReader, encodeSpdyFrame } from "./spdy-frames.ts";
import type { SpdyFrame } from "./spdy-frames.ts";

const plain = { noNullPrototype: true };
const stream = fc.integer({ min: 1, max: 0x7fffffff });
const bytes = fc.uint8Array({ maxLength: 300 }).map((piece) => Buffer.from(piece));
const frame: fc.Arbitrary<SpdyFrame> = fc.oneof(
  fc.record({ type: fc.constant("Open"), stream, headers: bytes, isLast: fc.boolean() }, plain),
  fc.record({ type: fc.constant("Opened"), stream, headers: bytes }, plain),
  fc.record({ type: fc.constant("Data"), stream, bytes, isLast: fc.boolean() }, plain),
  fc.record({ type: fc.constant("Reset"), stream }, plain),
  fc.record({ type: fc.constant("Ping"), id: stream }, plain),
);

test("[SPDY1] frames are found however their bytes are cut, and others are passed over", () => {
  const settings = Buffer.from([0x80, 3, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0]);
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 60 })), (frames, sizes) => {
      const sent = Buffer.concat(frames.flatMap((one) => [settings, encodeSpdyFrame(one)]));
      const reader = new SpdyFrameReader();
      const found: SpdyFrame[] = [];
      let at = 0;
      for (const size of [...sizes, sent.byteLength]) {
        found.push(...reader.push(sent.subarray(at, at + size)));
        at += size;
      }
      assert.deepEqual(found, frames);
    }),
  );
});

test("[SPDY1] another version of SPDY is refused", () => {
  assert.throws(() => [...new SpdyFrameReader().push(Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0]))], /version 2 of SPDY, not 3/);
});

test("[SPDY1] whatever comes is frames, or refused for what it is", () => {
  const version = fc.constantFrom([0x80, 3], [0x80, 2], [0, 0]);
  const head = fc.tuple(version, fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 12 }));
  const whole = fc
    .tuple(head, fc.uint8Array({ minLength: 12, maxLength: 12 }))
    .map(([[first, type, length], content]) => Buffer.from([...first, 0, type, 0, 0, 0, length, ...content.subarray(0, length)]));
  fc.assert(
    fc.property(fc.array(fc.oneof(whole, bytes), { maxLength: 6 }), (pieces) => {
      const reader = new SpdyFrameReader();
      try {
        for (const piece of pieces) for (const found of reader.push(piece)) assert.equal(typeof found.type, "string");
      } catch (error) {
        assert.match(String(error), /^Error: a frame of (?:version \d+ of SPDY, not 3|SPDY that is too short)$/);
      }
    }),
    { numRuns: 500 },
  );
});
