import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteArena } from "./byte-arena.ts";

const size = 1000;

test("[STO17] small values share buffers, at hardly more than their size; large ones have their own", () => {
  const arena = new ByteArena();
  const kept = Array.from({ length: 2000 }, (_, index) => arena.keep(Buffer.alloc(size, index % 256)));
  assert.ok(kept.every((bytes, index) => bytes.byteLength === size && bytes.every((byte) => byte === index % 256)));
  assert.ok(allocated(kept) < 2000 * size * 1.2);
  const large = arena.keep(Buffer.alloc(100_000, 7));
  assert.equal(large.buffer.byteLength, 100_000);
});

test("[STO17] an arena of few values is small, and one of larger values has room for some of them", () => {
  const few = new ByteArena();
  assert.ok(allocated([few.keep(Buffer.alloc(size)), few.keep(Buffer.alloc(size))]) < 10 * size);
  const larger = new ByteArena();
  const kept = Array.from({ length: 100 }, () => larger.keep(Buffer.alloc(30_000)));
  assert.ok(allocated(kept) < 100 * 30_000 * 1.3);
});

test("[STO17] what remains of buffers that hold much garbage can be moved together; who holds the old bytes keeps them", () => {
  const arena = new ByteArena();
  const kept = Array.from({ length: 8000 }, (_, index) => arena.keep(Buffer.alloc(size, index % 256)));
  assert.equal(arena.isSparse, false);
  const remaining = kept.filter((bytes, index) => {
    if (index % 10 !== 0) arena.release(bytes);
    return index % 10 === 0;
  });
  assert.equal(arena.isSparse, true);
  const moved = remaining.map((bytes) => arena.tidy(bytes));
  assert.equal(arena.isSparse, false);
  assert.ok(allocated(moved) < allocated(remaining) / 5);
  for (const [index, bytes] of moved.entries()) assert.deepEqual(bytes, remaining[index]);
});

test("[STO17] an arena through which much passes and little stays does not grow", () => {
  const arena = new ByteArena();
  for (let count = 0; count < 20_000; count++) arena.release(arena.keep(Buffer.alloc(size)));
  assert.equal(arena.isSparse, false);
});

function allocated(values: readonly Uint8Array[]): number {
  const buffers = new Set(values.map(({ buffer }) => buffer));
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
