import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NumberColumn } from "./number-column.ts";

test("a column has the number that was set last for each slot, and 0 where none was", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 2047 }), fc.nat({ max: 0xffff_ffff }))), (writes) => {
      const column = new NumberColumn();
      column.set(0, 0);
      column.set(1024, 0);
      const model = Array.from({ length: 3000 }, () => 0);
      for (const [slot, value] of writes) column.set(slot, (model[slot] = value));
      deepEqual(
        model.map((_, slot) => column.get(slot)),
        model,
      );
    }),
  );
});

test("no page is left out", () => {
  const column = new NumberColumn();
  equal(column.get(-1), 0);
  throws(() => column.set(1024, 1), /slot 1024 is beyond the next page, 0/);
});
