import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { mixedSchema } from "../testing/mixed-schema.ts";
import { MergeSchemaError, validate } from "./validate.ts";

suite("[SSA7] what does not fit is refused in the words of the real server", () => {
  const cases: ReadonlyArray<readonly [value: JsonValue, message: string]> = [
    [{ nope: 1 }, ".nope: field not declared in schema"],
    [{ constructor: 1 }, ".constructor: field not declared in schema"],
    [{ size: "1" }, ".size: expected numeric (int or float), got string"],
    [{ size: [1] }, ".size: expected numeric (int or float), got []interface {}"],
    [{ labels: { a: 1 } }, ".labels.a: expected string, got &value.valueUnstructured{Value:1}"],
    [{ labels: { a: 1e20 } }, ".labels.a: expected string, got &value.valueUnstructured{Value:1e+20}"],
    [
      { labels: { a: { b: ["x", null] } } },
      '.labels.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{"x", interface {}(nil)}}}',
    ],
    [{ nested: "x" }, ".nested: expected map, got &{x}"],
    [{ nested: [{ a: 1 }] }, ".nested: expected map, got &{[map[a:1]]}"],
    [{ tags: "x" }, ".tags: expected list, got &{x}"],
    [{ steps: ["a", 1] }, ".steps[1]: expected string, got &value.valueUnstructured{Value:1}"],
    [{ ports: [{ port: 80, host: 1 }] }, '.ports[port=80,protocol="TCP"].host: expected string, got &value.valueUnstructured{Value:1}'],
    ["x", "expected map, got &{x}"],
  ];
  for (const [value, message] of cases) {
    test(message, () => assert.throws(() => validate(value, mixedSchema, { duplicates: "allowed" }), new MergeSchemaError(message)));
  }
});

test("[SSA7] several problems are listed", () => {
  const message = ["errors:", "  .size: expected numeric (int or float), got bool", "  .nested: expected map, got &{1}"].join("\n");
  assert.throws(() => validate({ size: true, nested: 1 }, mixedSchema, { duplicates: "allowed" }), new MergeSchemaError(message));
});

test("[SSA5] duplicates are refused where it is said so", () => {
  for (const [value, message] of [
    [{ tags: ["a", "b", "a"] }, '.tags: duplicate entries for key [="a"]'],
    [{ ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] }, '.ports: duplicate entries for key [port=80,protocol="TCP"]'],
  ] as const) {
    assert.throws(() => validate(value, mixedSchema, { duplicates: "refused" }), new MergeSchemaError(message));
    validate(value, mixedSchema, { duplicates: "allowed" });
  }
});

suite("[SSA5] items that cannot be told apart are refused", () => {
  const omitted =
    'associative list with keys has an element that omits all key fields ["uid"] (and doesn\'t have default values for any key fields)';
  const owners = { list: { relationship: "map", keys: [{ name: "uid" }], element: mixedSchema } } as const;
  const set = { list: { relationship: "set", keys: [], element: mixedSchema } } as const;
  const cases = [
    [owners, { size: 1 }, omitted],
    [owners, null, "associative list with keys may not have a null element"],
    [owners, "x", "associative list with keys may not have non-map elements"],
    [set, null, "associative list without keys has an element that's an explicit null"],
    [set, {}, "associative list without keys has an element that's a map type"],
    [set, [], "not supported: associative list with lists as elements"],
  ] as const;
  for (const [schema, item, problem] of cases) {
    test(problem, () =>
      assert.throws(() => validate([item], schema, { duplicates: "allowed" }), new MergeSchemaError(`element 0: ${problem}`)),
    );
  }
});

test("[SSA4] null fits everywhere, and what is untyped may be anything", () => {
  const value = { size: null, nested: null, labels: null, tags: null, any: { a: [{ b: null }] }, opaque: [1, "a", { c: true }] };
  validate(value, mixedSchema, { duplicates: "refused" });
});
