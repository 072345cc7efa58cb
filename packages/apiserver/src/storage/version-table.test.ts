import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBelow } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { rangeOf } from "./key-range.ts";
import { VersionTable } from "./version-table.ts";

/** Enough for the chunks to split several times over. */
const keyCount = 3000;

test("[STO5] thousands of keys, added in any order, are found, listed and counted as of any revision", () => {
  for (const order of ["ascending", "descending", "random"] as const) {
    const random = seededRandom(7);
    const table = new VersionTable();
    const states: Map<string, number>[] = [new Map()];
    const state = new Map<string, number>();
    let revision = 0;
    const write = (key: string, isDelete: boolean): void => {
      revision += 1;
      table.add({ key, modRevision: revision, bytes: isDelete ? undefined : Buffer.from(key), previous: undefined });
      if (isDelete) state.delete(key);
      else state.set(key, revision);
      if (revision % 1000 === 0) states[revision / 1000] = new Map(state);
    };
    for (const index of numbers(order, random)) write(keyOf(index), false);
    for (let count = 0; count < 4000; count++) write(keyOf(randomBelow(random, keyCount)), randomBelow(random, 3) === 0);

    for (const [at, expected] of states.entries()) {
      for (const path of ["/r/", "/r/3/", "/r/5/00700"]) {
        const keys = [...expected.keys()].filter((key) => (path.endsWith("/") ? key.startsWith(path) : key === path)).toSorted();
        const all = table.list(rangeOf(path), at * 1000, Infinity);
        assert.deepEqual(
          all.entries.map(({ key }) => key),
          keys,
        );
        assert.deepEqual(
          all.entries.map(({ modRevision }) => modRevision),
          keys.map((key) => expected.get(key)),
        );
        assert.equal(table.count(rangeOf(path), at * 1000), keys.length);
        const page = table.list(rangeOf(path), at * 1000, 100);
        assert.deepEqual([page.entries.length, page.remaining], [Math.min(100, keys.length), Math.max(0, keys.length - 100)]);
      }
    }
  }
});

test("[STO12] keys can be taken out, down to the last", () => {
  const table = new VersionTable();
  for (let index = 0; index < keyCount; index++)
    table.add({ key: keyOf(index), modRevision: index, bytes: Buffer.of(1), previous: undefined });
  table.remove("/r/absent");
  for (let index = 0; index < keyCount; index += 2) table.remove(keyOf(index));
  assert.equal(table.count(rangeOf("/r/"), Infinity), keyCount / 2);
  assert.equal(table.find(keyOf(0)), undefined);
  assert.equal(table.find(keyOf(1))?.modRevision, 1);
  for (let index = 1; index < keyCount; index += 2) table.remove(keyOf(index));
  assert.deepEqual(table.list(rangeOf("/r/"), Infinity, Infinity), { entries: [], remaining: 0 });
  table.add({ key: keyOf(0), modRevision: keyCount, bytes: Buffer.of(1), previous: undefined });
  assert.equal(table.count(rangeOf("/r/"), Infinity), 1);
});

function keyOf(index: number): string {
  return `/r/${index % 7}/${String(index).padStart(5, "0")}`;
}

function numbers(order: "ascending" | "descending" | "random", random: ReturnType<typeof seededRandom>): number[] {
  const ascending = Array.from({ length: keyCount }, (_, index) => index);
  if (order === "ascending") return ascending.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  if (order === "descending") return ascending.toSorted((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1));
  const weights = ascending.map(() => random.next());
  return ascending.toSorted((left, right) => (weights[left] ?? 0) - (weights[right] ?? 0));
}
