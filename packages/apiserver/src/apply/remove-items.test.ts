import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { mixedSchema } from "../testing/mixed-schema.ts";
import { FieldSet } from "./field-set.ts";
import { decodeFields } from "./fields-v1.ts";
import { removeItems } from "./remove-items.ts";

suite("[SSA11] removing", () => {
  const cases: ReadonlyArray<readonly [what: string, value: JsonValue, fields: object, rest: JsonValue]> = [
    [
      "fields, entries and items",
      { size: 1, labels: { a: "1", b: "2" }, tags: ["a", "b"] },
      { "f:size": {}, "f:labels": { "f:a": {} }, "f:tags": { 'v:"b"': {} } },
      { labels: { b: "2" }, tags: ["a"] },
    ],
    [
      "all entries leaves null",
      { labels: { a: "1" }, tags: ["a"] },
      { "f:labels": { "f:a": {} }, "f:tags": { 'v:"a"': {} } },
      { labels: null, tags: null },
    ],
    ["a part of what is atomic leaves null", { point: { x: 1 } }, { "f:point": { "f:x": {} } }, { point: null }],
    [
      "fields of items",
      { ports: [{ port: 80, host: "h" }] },
      { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { "f:host": {} } } },
      { ports: [{ port: 80 }] },
    ],
    ["everything leaves null", { size: 1 }, { "f:size": {} }, null],
  ];
  for (const [what, value, fields, rest] of cases) {
    test(what, () => assert.deepEqual(removeItems(value, decodeFields(fields).fields, mixedSchema), rest));
  }

  test("shares what stays", () => {
    const value = { size: 1, labels: { a: "1" }, tags: ["a"] };
    assert.equal(removeItems(value, FieldSet.ofFields(["nested"]), mixedSchema), value);
    assert.equal((removeItems(value, FieldSet.ofFields(["size"]), mixedSchema) as typeof value).labels, value.labels);
  });
});
