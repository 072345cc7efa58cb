import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { mixedSchema } from "../testing/mixed-schema.ts";
import { merge } from "./merge.ts";

suite("[SSA10] merging", () => {
  const cases: ReadonlyArray<readonly [what: string, live: JsonValue, config: JsonValue, merged: JsonValue]> = [
    [
      "keeps what the configuration does not name",
      { size: 1, labels: { a: "1" } },
      { labels: { b: "2" } },
      { size: 1, labels: { a: "1", b: "2" } },
    ],
    ["replaces what is atomic", { point: { x: 1 }, steps: ["a"] }, { point: {}, steps: [] }, { point: {}, steps: [] }],
    [
      "keeps entries under an empty or null configuration",
      { labels: { a: "1" }, tags: ["a"] },
      { labels: null, tags: [] },
      { labels: { a: "1" }, tags: ["a"] },
    ],
    ["takes null for scalars", { size: 1 }, { size: null }, { size: null }],
    ["puts items in the order of the configuration", { tags: ["a", "b", "c"] }, { tags: ["c", "a"] }, { tags: ["b", "c", "a"] }],
    ["leaves other items among their neighbours", { tags: ["a", "x", "b"] }, { tags: ["a", "n", "b"] }, { tags: ["a", "x", "n", "b"] }],
    ["appends new items", { tags: ["a", "b"] }, { tags: ["n"] }, { tags: ["a", "b", "n"] }],
    ["replaces duplicates of an item that is named", { tags: ["a", "b", "a"] }, { tags: ["a"] }, { tags: ["a", "b"] }],
    ["keeps duplicates that are not named", { tags: ["a", "b", "a"] }, { tags: ["b"] }, { tags: ["a", "b", "a"] }],
    [
      "merges items of the same keys",
      { ports: [{ port: 80, host: "h" }] },
      { ports: [{ port: 80, protocol: "TCP" }] },
      { ports: [{ port: 80, host: "h", protocol: "TCP" }] },
    ],
    ["replaces a value of another form", { any: [1] }, { any: { a: 1 } }, { any: { a: 1 } }],
  ];
  for (const [what, live, config, merged] of cases) test(what, () => assert.deepEqual(merge(live, config, mixedSchema), merged));

  test("shares what does not change", () => {
    const live = { size: 1, nested: { a: "x" }, ports: [{ port: 80, host: "h" }, { port: 81 }], steps: ["a"] };
    assert.equal(merge(live, structuredClone(live), mixedSchema), live);
    const merged = merge(live, { ports: [{ port: 81, host: "i" }] }, mixedSchema) as typeof live;
    assert.equal(merged.nested, live.nested);
    assert.equal(merged.ports[0], live.ports[0]);
  });
});
