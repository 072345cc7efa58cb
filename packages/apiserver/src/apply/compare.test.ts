import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { mixedSchema, pathsOf } from "../testing/mixed-schema.ts";
import { compare } from "./compare.ts";

suite("[SSA9] comparing tells of", () => {
  interface Difference {
    readonly added?: readonly string[];
    readonly modified?: readonly string[];
    readonly removed?: readonly string[];
  }
  const cases: ReadonlyArray<readonly [what: string, before: JsonValue, after: JsonValue, difference: Difference]> = [
    ["nothing", { size: 1, tags: ["a"] }, { tags: ["a"], size: 1 }, {}],
    ["a struct that comes, with all in it", {}, { nested: { deep: { b: "x" } } }, { added: [".nested", ".nested.deep", ".nested.deep.b"] }],
    ["a map that goes, with all in it", { labels: { a: "1" } }, {}, { removed: [".labels", ".labels.a"] }],
    ["a leaf that changes", { size: 1, labels: { a: "1" } }, { size: 2, labels: { a: "2" } }, { modified: [".size", ".labels.a"] }],
    ["null and empty, which are different", { labels: null, tags: [] }, { labels: {}, tags: null }, { modified: [".labels", ".tags"] }],
    ["items that come and go", { tags: ["a", "b"] }, { tags: ["c", "b"] }, { added: ['.tags[="c"]'], removed: ['.tags[="a"]'] }],
    ["no change of order", { tags: ["a", "b"] }, { tags: ["b", "a"] }, {}],
    ["a change of order where the list is one value", { steps: ["a", "b"] }, { steps: ["b", "a"] }, { modified: [".steps"] }],
    [
      "a field of an item",
      { ports: [{ port: 80, host: "g" }] },
      { ports: [{ port: 80, protocol: "TCP", host: "h" }] },
      { added: ['.ports[port=80,protocol="TCP"].protocol'], modified: ['.ports[port=80,protocol="TCP"].host'] },
    ],
    ["duplicates, which are one leaf", { tags: ["a"] }, { tags: ["a", "a"] }, { added: ['.tags[="a"]'], removed: ['.tags[="a"]'] }],
    ["a form that changes", { any: 1 }, { any: { a: 1 } }, { added: [".any.a"], modified: [".any"] }],
    ["a form that changes back", { any: { a: 1 } }, { any: [1] }, { modified: [".any"], removed: [".any.a"] }],
    ["big integers, digit by digit", { size: 9007199254740993n }, { size: 9007199254740995n }, { modified: [".size"] }],
  ];
  for (const [what, before, after, { added = [], modified = [], removed = [] }] of cases) {
    test(what, () => {
      const comparison = compare(before, after, mixedSchema);
      assert.deepEqual(pathsOf(comparison.added), added);
      assert.deepEqual(pathsOf(comparison.modified), modified);
      assert.deepEqual(pathsOf(comparison.removed), removed);
    });
  }
});
