import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { ObjectKey } from "@kaji/core";
import fc from "fast-check";
import { KeyTable } from "./key-table.ts";

const anyKey = fc.oneof(
  fc.nat({ max: 200 }).map((number) => `shop/widget-${number}`),
  fc.string({ unit: "grapheme" }),
  fc.nat({ max: 3 }).map((number) => `shop/${"long".repeat(20_000)}-${number}`),
) as fc.Arbitrary<ObjectKey>;

test("[SLAB6] a table has the slot of each key and the key at each slot, as two maps have", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyKey, fc.boolean()), { maxLength: 400 }), (changes) => {
      const table = new KeyTable();
      const model = new Map<ObjectKey, number>();
      const free: number[] = [];
      let slots = 0;
      for (const [key, isThere] of changes) {
        const known = model.get(key);
        equal(table.find(key), known);
        if (isThere && known === undefined) {
          const slot = free.pop() ?? slots++;
          table.add(key, slot);
          model.set(key, slot);
        } else if (!isThere) {
          table.delete(key);
          model.delete(key);
          if (known !== undefined) free.push(known);
        }
      }
      equal(table.size, model.size);
      for (const [key, slot] of model) deepEqual([table.find(key), table.keyAt(slot)], [slot, key]);
      for (const slot of free) equal(table.keyAt(slot), undefined);
      deepEqual(
        [...table.slots()],
        [...model.values()].toSorted((a, b) => a - b),
      );
    }),
  );
});

test("[SLAB6] keys that come and go for long take no more text than those that are there", () => {
  const table = new KeyTable();
  for (let round = 0; round < 20_000; round++) {
    table.add(`shop/passing-${round}` as ObjectKey, round % 10);
    if (round >= 9) table.delete(`shop/passing-${round - 9}` as ObjectKey);
  }
  equal(table.size, 9);
  equal(table.reservedBytes <= 3 * 64 * 1024, true);
});
