import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBelow } from "./random.ts";
import { seededRandom } from "./seeded-random.ts";
import { systemRandom } from "./system-random.ts";

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("[RND1] the same seed gives the same numbers, on every machine and in every version", () => {
  const random = seededRandom(1);
  assert.deepEqual([random.next(), random.next(), random.next()], [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  assert.equal(seededRandom(1).uuid(), seededRandom(1).uuid());
  assert.notEqual(seededRandom(1).next(), seededRandom(2).next());
});

test("[RND2] numbers are from 0 up to 1, and spread over the whole of it", () => {
  const random = seededRandom(42);
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let count = 0; count < 10_000; count++) {
    const tenth = randomBelow(random, 10);
    tenths[tenth] = (tenths[tenth] ?? Number.NaN) + 1;
  }
  assert.equal(tenths.length, 10);
  for (const count of tenths) assert.ok(count > 900 && count < 1100, String(tenths));
});

test("[RND3] a uuid is of version 4, and no two are alike", () => {
  const random = seededRandom(7);
  const uuids = Array.from({ length: 1000 }, () => random.uuid());
  assert.ok(uuids.every((uuid) => uuid4.test(uuid)));
  assert.equal(new Set(uuids).size, 1000);
  assert.match(systemRandom.uuid(), uuid4);
});

test("[RND4] bytes are as many as were asked for, and those of a seed are the same each time", () => {
  const bytes = seededRandom(3).bytes(1000);
  assert.deepEqual(bytes, seededRandom(3).bytes(1000));
  assert.ok(new Set(bytes).size > 240);
  assert.deepEqual([seededRandom(1).bytes(0).length, systemRandom.bytes(16).length], [0, 16]);
  assert.notDeepEqual(systemRandom.bytes(16), systemRandom.bytes(16));
});

test("the machine's chance has no seed", () => {
  assert.notEqual(systemRandom.next(), systemRandom.next());
});
