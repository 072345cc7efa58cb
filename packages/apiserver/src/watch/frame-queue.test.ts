import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameQueue } from "./frame-queue.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (piece: Uint8Array): string => new TextDecoder().decode(piece);

async function allOf(queue: FrameQueue): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of queue) pieces.push(text(piece));
  return pieces;
}

test("frames written before and while reading arrive in order, joined per turn", async () => {
  const queue = new FrameQueue(100, () => {});
  queue.push(bytes("a"));
  queue.push(bytes("b"));
  const reader = queue[Symbol.asyncIterator]();
  assert.equal(text((await reader.next()).value), "ab");
  const waiting = reader.next();
  queue.push(bytes("c"));
  assert.equal(text((await waiting).value), "c");
});

test("watchers that wait for the same frames get the same bytes, others their own", async () => {
  const [a, b, c] = [bytes("a"), bytes("b"), bytes("c")];
  const first = async (...frames: readonly Uint8Array[]): Promise<Uint8Array> => {
    const queue = new FrameQueue(100, () => {});
    for (const frame of frames) queue.push(frame);
    return (await queue[Symbol.asyncIterator]().next()).value;
  };
  const joined = await first(a, b);
  assert.equal(await first(a, b), joined);
  assert.deepEqual([text(joined), text(await first(a, c)), text(await first(a, b, c)), text(await first(a, b))], ["ab", "ac", "abc", "ab"]);
});

test("[WATCH11] a queue that is full ends after what it holds", async () => {
  let closed = 0;
  const queue = new FrameQueue(3, () => closed++);
  for (const letter of ["aa", "bb", "cc", "dd"]) queue.push(bytes(letter));
  const pieces = await allOf(queue);
  assert.deepEqual(pieces, ["aabb"]);
  assert.equal(closed, 1);
});

test("a reader that leaves closes the queue", async () => {
  let closed = 0;
  const queue = new FrameQueue(100, () => closed++);
  queue.push(bytes("a"));
  for await (const piece of queue) {
    assert.equal(text(piece), "a");
    break;
  }
  queue.push(bytes("b"));
  assert.equal(closed, 1);
});

test("an ended queue delivers what is left and then is done", async () => {
  const queue = new FrameQueue(100, () => {});
  queue.push(bytes("a"));
  queue.end();
  queue.push(bytes("late"));
  assert.deepEqual(await allOf(queue), ["a"]);
});
