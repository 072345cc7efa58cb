import assert from "node:assert/strict";
import { test } from "node:test";
import { createFrameJoiner } from "./frame-joiner.ts";
import { FrameQueue } from "./frame-queue.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (piece: Uint8Array): string => new TextDecoder().decode(piece);

async function allOf(queue: FrameQueue): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of queue) pieces.push(text(piece));
  return pieces;
}

test("frames written before and while reading arrive in order, joined per turn", async () => {
  const queue = new FrameQueue(100, createFrameJoiner(), () => {});
  queue.push(bytes("a"));
  queue.push(bytes("b"));
  const reader = queue[Symbol.asyncIterator]();
  assert.equal(text((await reader.next()).value), "ab");
  const waiting = reader.next();
  queue.push(bytes("c"));
  assert.equal(text((await waiting).value), "c");
});

test("[WATCH11] a queue that is full ends after what it holds", async () => {
  let closed = 0;
  const queue = new FrameQueue(3, createFrameJoiner(), () => closed++);
  for (const letter of ["aa", "bb", "cc", "dd"]) queue.push(bytes(letter));
  const pieces = await allOf(queue);
  assert.deepEqual(pieces, ["aabb"]);
  assert.equal(closed, 1);
});

test("[WATCH11] what a stream begins with comes first and may be of any size; it is made as it is read", async () => {
  const queue = new FrameQueue(3, createFrameJoiner(), () => {});
  const large = new Uint8Array(200 * 1024);
  let made = 0;
  function* beginning(): Generator<Uint8Array, void> {
    for (; made < 100; made++) yield large;
  }
  queue.beginWith(beginning());
  queue.push(bytes("a"));
  const reader = queue[Symbol.asyncIterator]();
  assert.equal((await reader.next()).value?.byteLength, 2 * large.byteLength);
  assert.equal(made, 1);
  queue.push(bytes("b"));
  queue.end();
  let size = 2 * large.byteLength;
  const last: string[] = [];
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    size += next.value.byteLength;
    if (next.value.byteLength < 10) last.push(text(next.value));
  }
  assert.deepEqual([size, last], [100 * large.byteLength + 2, ["ab"]]);
});

test("a reader that leaves closes the queue", async () => {
  let closed = 0;
  const queue = new FrameQueue(100, createFrameJoiner(), () => closed++);
  queue.push(bytes("a"));
  for await (const piece of queue) {
    assert.equal(text(piece), "a");
    break;
  }
  queue.push(bytes("b"));
  assert.equal(closed, 1);
});

test("an ended queue delivers what is left and then is done", async () => {
  const queue = new FrameQueue(100, createFrameJoiner(), () => {});
  queue.push(bytes("a"));
  queue.end();
  queue.push(bytes("late"));
  assert.deepEqual(await allOf(queue), ["a"]);
});
