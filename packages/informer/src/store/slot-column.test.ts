import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SlotColumn } from "./slot-column.ts";

test("a column has what was set last for each slot, as an array has", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.integer())), fc.integer({ min: 0, max: 3000 }), (writes, filled) => {
      const column = new SlotColumn<number>();
      const model: number[] = [];
      const set = (slot: number, value: number): void => {
        column.set(slot, value);
        model[slot] = value;
      };
      for (let slot = 0; slot < filled; slot++) set(slot, -slot);
      for (const [any, value] of writes) set(any % (model.length + 1), value);
      equal(column.length, model.length);
      deepEqual(
        model.map((_, slot) => column.get(slot)),
        model,
      );
    }),
  );
});

test("slots that never had a value have none, and none is left out", () => {
  const column = new SlotColumn<string>();
  equal(column.get(0), undefined);
  equal(column.get(-1), undefined);
  throws(() => column.set(1, "a"), /slot 1 is beyond the next, 0/);
});
