import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FrameSplitter } from "./frame-splitter.ts";

test("[FRAME1] however the stream is cut, the frames are its lines", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(
      fc.array(line),
      fc.string().map((text) => text.replaceAll("\n", " ")),
      fc.array(fc.nat(20), { minLength: 1 }),
      (lines, rest, cuts) => {
        const splitter = new FrameSplitter();
        const frames = split(splitter, chunksOf(Buffer.from([...lines, rest].join("\n")), cuts));
        assert.deepEqual(
          frames,
          lines.filter((text) => text !== ""),
        );
        assert.equal(splitter.hasPartial, rest !== "");
      },
    ),
    { numRuns: 300 },
  );
});

test("[FRAME2] a large frame costs no more than its bytes: 48 MiB in chunks of 4 KiB", () => {
  const splitter = new FrameSplitter();
  const chunk = Buffer.alloc(4096, "x");
  let length = 0;
  const onFrame = (_bytes: Buffer, start: number, end: number): void => void (length = end - start);
  for (let index = 0; index < 12 * 1024; index++) splitter.push(chunk, onFrame);
  splitter.push(Buffer.from("\n"), onFrame);
  assert.equal(length, 48 * 1024 * 1024);
});

test("[FRAME3] a frame beyond any size that is stored is refused before it fills the memory", () => {
  const splitter = new FrameSplitter();
  const chunk = Buffer.alloc(1024 * 1024, "x");
  assert.throws(() => {
    for (let index = 0; index < 100; index++) splitter.push(chunk, () => assert.fail());
  }, /a frame of more than 67108864 bytes/);
});

test("[FRAME1] chunks need not be Buffers", () => {
  assert.deepEqual(split(new FrameSplitter(), [new TextEncoder().encode("one\ntw"), new TextEncoder().encode("o\n")]), ["one", "two"]);
});

function split(splitter: FrameSplitter, chunks: Iterable<Uint8Array>): string[] {
  const frames: string[] = [];
  for (const chunk of chunks) splitter.push(chunk, (bytes, start, end) => void frames.push(bytes.toString("utf8", start, end)));
  return frames;
}

function* chunksOf(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = 1 + (sizes[index % sizes.length] ?? 0);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
