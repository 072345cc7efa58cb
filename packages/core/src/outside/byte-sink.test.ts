import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { sinkOf } from "./byte-sink.ts";

const long = new Uint8Array(1_000_000);

test("a write waits until there is room for more", async () => {
  const stream = new PassThrough();
  const sink = sinkOf(stream);
  let isTaken = false;
  await sink.write(Buffer.of(1));
  const written = sink.write(long).then(() => (isTaken = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isTaken, false);
  stream.resume();
  await written;
});

test("what a stream has not taken when it closes is lost, and so is what is written afterwards", async () => {
  const stream = new PassThrough();
  const sink = sinkOf(stream);
  const written = [sink.write(long), sink.write(long)];
  stream.destroy();
  await Promise.all(written);
  await sink.write(long);
});
