import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FieldSet } from "./field-set.ts";
import { fieldElement, formatPath } from "./path-element.ts";

const runs = { seed: 31, numRuns: 200 };

const names = fc.array(fc.constantFrom("a", "b", "c", "__proto__"), { minLength: 1, maxLength: 4 });
const paths = fc.array(names, { maxLength: 12 });

test("[SSA3] union, intersection and difference are those of sets of paths", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [FieldSet.ofFields(...left), FieldSet.ofFields(...right)];
      const [as, bs] = [textsOf(left), textsOf(right)];
      assert.deepEqual(members(a.union(b)), as.union(bs));
      assert.deepEqual(members(a.intersection(b)), as.intersection(bs));
      assert.deepEqual(members(a.difference(b)), as.difference(bs));
    }),
    runs,
  );
});

test("[SSA3] the recursive difference takes what is below, too", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const below = (path: readonly string[]): boolean => right.some((taken) => taken.every((name, index) => path[index] === name));
      const rest = FieldSet.ofFields(...left).recursiveDifference(FieldSet.ofFields(...right));
      assert.deepEqual(members(rest), textsOf(left.filter((path) => !below(path))));
    }),
    runs,
  );
});

test("[SSA3] the leaves are the paths with none below them", () => {
  fc.assert(
    fc.property(paths, (all) => {
      const texts = [...textsOf(all)];
      const leaves = texts.filter((text) => !texts.some((other) => other.startsWith(`${text}.`)));
      assert.deepEqual(members(FieldSet.ofFields(...all).leaves()), new Set(leaves));
    }),
    runs,
  );
});

test("[SSA3] equal sets are equal however they came about, and operations that change nothing return the same set", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const a = FieldSet.ofFields(...left);
      const both = a.union(FieldSet.ofFields(...right));
      assert.ok(both.equals(FieldSet.ofFields(...right.toReversed(), ...left)));
      assert.equal(both.equals(a), members(both).size === members(a).size);
      assert.equal(both.union(a), both);
      assert.equal(a.difference(FieldSet.empty), a);
      assert.equal(a.difference(both).isEmpty, true);
      assert.ok(a.intersection(both).equals(a));
    }),
    runs,
  );
});

test("[SSA3] a set has its paths and no others, nothing is in the empty one", () => {
  const set = FieldSet.ofFields(["a", "b"], ["a", "b", "c"]);
  assert.equal(set.has(["a", "b"].map(fieldElement)), true);
  assert.equal(set.has(["a"].map(fieldElement)), false);
  assert.equal(set.has(["a", "b", "d"].map(fieldElement)), false);
  assert.equal(set.has([]), false);
  assert.equal(FieldSet.of([]).difference(FieldSet.leaf).isEmpty, true);
  assert.equal(FieldSet.empty.isEmpty, true);
});

test("[SSA3] paths come in order, those of one level before those further down", () => {
  const set = FieldSet.ofFields(["b", "x"], ["b"], ["a", "y"], ["c"], ["a", "y", "z"]);
  assert.deepEqual([...set.paths()].map(formatPath), [".b", ".c", ".a.y", ".a.y.z", ".b.x"]);
});

function members(set: FieldSet): Set<string> {
  return new Set([...set.paths()].map(formatPath));
}

function textsOf(all: ReadonlyArray<readonly string[]>): Set<string> {
  return new Set(all.map((path) => formatPath(path.map(fieldElement))));
}
