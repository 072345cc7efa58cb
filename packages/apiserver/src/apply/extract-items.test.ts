import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { mixedSchema } from "../testing/mixed-schema.ts";
import { extractItems } from "./extract-items.ts";
import { decodeFields } from "./fields-v1.ts";

suite("[SSA12] extracting", () => {
  const value = {
    size: 1,
    labels: { a: "1", b: "2" },
    tags: ["a", "b"],
    ports: [
      { port: 80, host: "h" },
      { port: 81, protocol: "UDP", host: "i" },
    ],
    point: { x: 1 },
    nested: {},
  };
  const cases: ReadonlyArray<readonly [what: string, fields: object, extracted: JsonValue]> = [
    [
      "leaves, entries and items",
      { "f:size": {}, "f:labels": { "f:b": {} }, "f:tags": { 'v:"a"': {} } },
      { size: 1, labels: { b: "2" }, tags: ["a"] },
    ],
    ["what is atomic or empty as it is", { "f:point": {}, "f:nested": {} }, { point: { x: 1 }, nested: {} }],
    [
      "items with the keys they have",
      { "f:ports": { 'k:{"port":81,"protocol":"UDP"}': { "f:host": {} } } },
      { ports: [{ port: 81, protocol: "UDP", host: "i" }] },
    ],
    ["nothing is null", { "f:any": {} }, null],
  ];
  for (const [what, fields, extracted] of cases) {
    test(what, () => assert.deepEqual(extractItems(value, decodeFields(fields).fields, mixedSchema), extracted));
  }
});
