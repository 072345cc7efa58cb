import assert from "node:assert/strict";
import { test } from "node:test";
import { cellValues } from "./cell-value.ts";

test("cells are numbers, quantities, lengths of time or parts where all of their column are", () => {
  assert.deepEqual(cellValues(["10", "-9", "1e3", "80%"]), [10, -9, 1000, 0.8]);
  assert.deepEqual(cellValues(["500m", "2", "1Ki", "1k"]), [0.5, 2, 1024, 1000]);
  assert.deepEqual(cellValues(["500ms", "5m", "2h", "1d12h"]), [0.5, 300, 7200, 129_600]);
  assert.deepEqual(cellValues(["0/1", "1/2", "3/3", "0/0"]), [0, 0.5, 1, 1]);
});

test("cells of different sorts are texts", () => {
  assert.deepEqual(cellValues(["10", "Running", "1/2"]), ["10", "Running", "1/2"]);
  assert.deepEqual(cellValues(["5m", "1", "2h"]), ["5m", "1", "2h"]);
});

test("what stands for nothing is nothing, beside whatever it is", () => {
  assert.deepEqual(cellValues(["", "10", "<none>", "<unset>"]), [undefined, 10, undefined, undefined]);
  assert.deepEqual(cellValues(["<none>", "a", "<B>"]), [undefined, "a", "<B>"]);
});

test("a cell that is made to be hard to read is read at once", () => {
  for (const piece of ["1", "1m", "1.", "1/", "<", "a"]) assert.equal(cellValues([piece.repeat(100_000), "x"]).length, 2);
});
