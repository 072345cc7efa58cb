import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import { pathsOf } from "../testing/mixed-schema.ts";
import { customObjectSchema } from "./custom-object-schema.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validate } from "./validate.ts";

const text = { type: "string" };

suite("[SSA6] how fields of a custom resource are owned", () => {
  const cases: ReadonlyArray<readonly [what: string, schema: JsonSchemaProps, value: JsonValue, paths: readonly string[]]> = [
    ["objects by field", { type: "object", properties: { a: text } }, { a: "x" }, [".spec.a"]],
    ["maps by entry", { type: "object", additionalProperties: text }, { a: "x" }, [".spec.a"]],
    ["atomic objects", { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" }, { a: "x" }, [".spec"]],
    ["granular objects", { type: "object", additionalProperties: text, "x-kubernetes-map-type": "granular" }, { a: "x" }, [".spec.a"]],
    ["objects of which nothing is said", { type: "object" }, { a: { b: [1] } }, [".spec.a", ".spec.a.b"]],
    ["lists", { type: "array", items: text }, ["x"], [".spec"]],
    ["sets", { type: "array", items: text, "x-kubernetes-list-type": "set" }, ["x"], ['.spec[="x"]']],
    [
      "keyed lists",
      {
        type: "array",
        items: { type: "object", properties: { p: { type: "integer" }, q: { type: "string", default: "d" } } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["q", "p"],
      },
      [{ p: 1 }],
      ['.spec[p=1,q="d"]', '.spec[p=1,q="d"].p'],
    ],
    ["numbers or text", { "x-kubernetes-int-or-string": true }, "50%", [".spec"]],
    ["anything", { "x-kubernetes-preserve-unknown-fields": true }, { a: { b: [1] } }, [".spec.a", ".spec.a.b"]],
    [
      "unknown fields, and those of objects within",
      { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { o: { type: "object", properties: { a: text } } } },
      { o: { b: { c: 1 } }, u: 1 },
      [".spec.u", ".spec.o.b", ".spec.o.b.c"],
    ],
    [
      "embedded objects",
      { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      { apiVersion: "v1", kind: "Pod", metadata: { finalizers: ["f"] }, spec: { a: 1 } },
      [".spec.apiVersion", ".spec.kind", '.spec.metadata.finalizers[="f"]', ".spec.spec", ".spec.spec.a"],
    ],
  ];
  for (const [what, schema, value, paths] of cases) {
    test(what, () => {
      const object = customObjectSchema({ type: "object", properties: { spec: schema } });
      validate({ spec: value }, object, { duplicates: "refused" });
      assert.deepEqual(pathsOf(toFieldSet({ spec: value }, object)).toSorted(), paths.toSorted());
    });
  }
});

test("[SSA6] metadata has its own types, whatever the schema says of it", () => {
  const schema = customObjectSchema({
    type: "object",
    properties: { metadata: { type: "object", properties: { name: { type: "string", pattern: "a" } } } },
  });
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
  const metadata = { name: "n", labels: { a: "b" }, finalizers: ["f"], ownerReferences: [owner], deletionTimestamp: null };
  validate({ apiVersion: "v1", kind: "K", metadata }, schema, { duplicates: "refused" });
  assert.deepEqual(pathsOf(toFieldSet({ metadata }, schema)), [
    ".metadata.deletionTimestamp",
    ".metadata.name",
    '.metadata.finalizers[="f"]',
    ".metadata.labels.a",
    '.metadata.ownerReferences[uid="u"]',
  ]);
});

test("[SSA6] formatted text is not checked, undeclared fields are refused, prototype keys are plain data", () => {
  const schema = customObjectSchema({
    type: "object",
    properties: { when: { type: "string", format: "date-time" }, data: { type: "string", format: "byte" } },
  });
  validate({ when: 1 }, schema, { duplicates: "refused" });
  assert.throws(() => validate({ data: 1 }, schema, { duplicates: "refused" }), /\.data: expected string/);
  for (const name of ["constructor", "toString", "spec"]) {
    assert.throws(() => validate({ [name]: 1 }, schema, { duplicates: "refused" }), /field not declared in schema/);
  }
  assert.throws(
    () => validate(JSON.parse('{"__proto__":{}}'), schema, { duplicates: "refused" }),
    /\.__proto__: field not declared in schema/,
  );
});

test("[SSA6] without a schema all is deduced", () => {
  assert.deepEqual(pathsOf(toFieldSet({ any: { a: [1] } }, customObjectSchema(undefined))), [".any", ".any.a"]);
});
