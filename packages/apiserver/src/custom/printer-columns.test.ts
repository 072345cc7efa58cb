import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject, JsonObject } from "@kaji/core";
import type { CrdColumn } from "./definition/crd.ts";
import { printerColumns } from "./printer-columns.ts";

const nowMs = Date.UTC(2026, 0, 1, 0, 5);

test("[CRD30] without columns of its own, a kind shows name and age", () => {
  assert.deepEqual(
    printerColumns().map(({ name, type, format }) => ({ name, type, format })),
    [
      { name: "Name", type: "string", format: "name" },
      { name: "Age", type: "date", format: "" },
    ],
  );
  assert.deepEqual(cells([], {}), ["thing", "5m"]);
});

test("[CRD30] cells are shown by the type of their column", () => {
  const spec = {
    n: 3,
    f: 2.75,
    big: 1500000.5,
    yes: true,
    text: "x",
    list: [1, { a: "<" }],
    nothing: null,
    time: "2025-12-31T23:59:00Z",
    late: "never",
  };
  const shown: readonly (readonly [type: string, path: string, cell: unknown])[] = [
    ["integer", ".spec.n", 3],
    ["integer", ".spec.f", 2],
    ["integer", ".spec.text", null],
    ["number", ".spec.n", 3],
    ["number", ".spec.f", 2.75],
    ["boolean", ".spec.yes", true],
    ["boolean", ".spec.text", null],
    ["string", ".spec.text", "x"],
    ["string", ".spec.n", "3"],
    ["string", ".spec.big", "1.5000005e+06"],
    ["string", ".spec.yes", "true"],
    ["string", ".spec.list", '[1,{"a":"\\u003c"}]'],
    ["string", ".spec.nothing", "<no value>"],
    ["integer", ".spec.nothing", null],
    ["string", ".spec.absent", null],
    ["string", ".spec.list[7]", null],
    ["string", ".spec.list[0]", "1"],
    ["date", ".spec.time", "6m"],
    ["date", ".spec.late", "<invalid>"],
    ["date", ".spec.n", null],
  ];
  const columns = shown.map(([type, jsonPath]): CrdColumn => ({ name: jsonPath, type, jsonPath }));
  assert.deepEqual(
    cells(columns, { spec }).slice(1),
    shown.map(([, , cell]) => cell),
  );
});

test("[CRD30] a column says where it comes from, unless it describes itself", () => {
  const [, first, second] = printerColumns([
    { name: "A", type: "string", jsonPath: ".spec.a", priority: 1 },
    { name: "B", type: "string", jsonPath: ".spec.b", description: "what it is" },
  ]);
  assert.equal(first?.description, "Custom resource definition column (in JSONPath format): .spec.a");
  assert.equal(first?.priority, 1);
  assert.equal(second?.description, "what it is");
});

test("[CRD30] a path that cannot be read ends the columns", () => {
  const columns = [".spec.a", ".spec[", ".spec.b"].map((jsonPath) => ({ name: jsonPath, type: "string", jsonPath }));
  assert.deepEqual(
    printerColumns(columns).map(({ name }) => name),
    ["Name", ".spec.a"],
  );
});

function cells(columns: readonly CrdColumn[], fields: JsonObject): readonly unknown[] {
  const metadata = { name: "thing", creationTimestamp: "2026-01-01T00:00:00Z" };
  const object: DynamicObject = { apiVersion: "example.com/v1", kind: "Thing", metadata, ...fields };
  return printerColumns(columns).map(({ cell }) => cell(object, nowMs));
}
