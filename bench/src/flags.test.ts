import assert from "node:assert/strict";
import { test } from "node:test";
import { count, counts, subjects } from "./flags.ts";

test("a flag that is not given has its default", () => {
  assert.deepEqual([counts("objects", undefined, [1]), count("bars", undefined, 2)], [[1], 2]);
  assert.ok(subjects(undefined).includes("kube-rs"));
});

test("counts are whole numbers from 1 up", () => {
  assert.deepEqual(counts("objects", "10000,50000", []), [10_000, 50_000]);
  for (const text of ["", "0", "1.5", "x", "1,", "-1"]) assert.throws(() => counts("objects", text, []), /--objects takes whole numbers/);
  assert.throws(() => count("bars", "1,2", 3), /--bars takes one number/);
});

test("kaji is always compared, and a name that nobody has is refused", () => {
  assert.deepEqual(subjects("client-node"), ["kaji", "client-node"]);
  assert.throws(() => subjects("kopf"), /not "kopf"/);
});
