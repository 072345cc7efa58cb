import { escapeField } from "@kaji/core";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonValue } from "@kaji/core";
import { formatType } from "../check/type.ts";
import { evaluate } from "../testing/evaluate.ts";
import type { JsonSchema } from "./json-schema.ts";
import { schemaType } from "./schema-type.ts";
import { schemaReader } from "./schema-value.ts";

test("[CEL13] a schema is seen as the type it declares", () => {
  const cases: readonly (readonly [JsonSchema, string | undefined])[] = [
    [{ type: "integer" }, "int"],
    [{ type: "number" }, "double"],
    [{ type: "string", format: "date-time" }, "timestamp"],
    [{ type: "string", format: "duration" }, "duration"],
    [{ type: "string", format: "byte" }, "bytes"],
    [{ type: "string", format: "email" }, "string"],
    [{ "x-kubernetes-int-or-string": true }, "dyn"],
    [{ type: "array", items: { type: "boolean" } }, "list(bool)"],
    [{ type: "object", additionalProperties: { type: "array", items: { type: "object" } } }, "map(string, list(self.@elem.@idx))"],
    [{ type: "object", properties: { a: { type: "object" } } }, "self"],
    [{ "x-kubernetes-preserve-unknown-fields": true }, undefined],
    [{ type: "array" }, undefined],
  ];
  for (const [schema, name] of cases) {
    const type = schemaType(schema, "part", "self");
    assert.equal(type === undefined ? undefined : formatType(type), name);
  }
  const fields = schemaType(
    { type: "object", properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } } },
    "resource",
    "self",
  )?.fields;
  assert.deepEqual([...(fields?.get("metadata")?.fields?.keys() ?? [])], ["name", "generateName"]);
  assert.ok(fields?.has("apiVersion") && fields.has("kind"));
});

test("[CEL13] fields are selected by names that can be written, and no two by the same", () => {
  assert.deepEqual(["a", "my-field", "a.b/c", "x__y", "namespace", "1a", "ä", ""].map(escapeField), [
    "a",
    "my__dash__field",
    "a__dot__b__slash__c",
    "x__underscores__y",
    "__namespace__",
    undefined,
    undefined,
    undefined,
  ]);
  const name = fc.string({ unit: fc.constantFrom("a", "_", "__", "-", ".", "/", "dash", "dot", "if", "1"), maxLength: 6 });
  fc.assert(
    fc.property(name, name, (left, right) => left === right || escapeField(left) === undefined || escapeField(left) !== escapeField(right)),
  );
});

test("[CEL13] a field whose name is a word of CEL's own is selected by that word, too", () => {
  const schema: JsonSchema = { type: "object", properties: { namespace: { type: "string" }, "my-field": { type: "integer" } } };
  const object = { namespace: "a", "my-field": 1 };
  for (const text of [
    "self.namespace == 'a'",
    "self.__namespace__ == 'a'",
    "has(self.namespace)",
    "dyn(self)['namespace'] == 'a'",
    "dyn(self)['my-field'] == 1",
  ]) {
    assert.equal(compared(text, schema, object, {}), true, text);
  }
});

test("[CEL13] sets are equal in any order, lists with keys too, others not", () => {
  const items: JsonSchema = { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } };
  const schema: JsonSchema = {
    type: "object",
    properties: {
      set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      map: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items },
      list: { type: "array", items: { type: "string" } },
    },
  };
  const [first, second] = [
    { k: "a", v: 1 },
    { k: "b", v: 2 },
  ];
  const [left, right] = [
    { set: ["a", "b"], map: [first, second], list: ["a", "b"] },
    { set: ["b", "a"], map: [second, first], list: ["b", "a"] },
  ];
  assert.equal(compared("self.set == other.set", schema, left, right), true);
  assert.equal(compared("self.map == other.map", schema, left, right), true);
  assert.equal(compared("self.list == other.list", schema, left, right), false);
  assert.equal(compared("(self.set + other.set).size()", schema, left, right), 2);
  assert.equal(compared("(self.map + [dyn({'k': 'c'}), dyn({'k': 'a'})]).size()", schema, left, right), 3);
  const numbers = { numbers: [1, 2.5] };
  const whole: JsonSchema = { type: "array", "x-kubernetes-list-type": "set", items: { type: "number" } };
  const ofNumbers: JsonSchema = { type: "object", properties: { numbers: whole } };
  assert.equal(compared("self.numbers == other.numbers", ofNumbers, numbers, numbers), false);
  assert.equal(compared("self.numbers == other.numbers", ofNumbers, { numbers: [0.5, 2.5] }, { numbers: [2.5, 0.5] }), true);
  assert.equal(compared("(self.numbers + other.numbers).size()", ofNumbers, numbers, numbers), 3);
  const twice = { map: [first, { ...first, v: 2 }] };
  assert.equal(compared("self.map == self.map", schema, twice, right), false);
});

test("[CEL13] [CEL15] what is null or not declared is not there; names of the prototype are names", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      a: { type: "integer" },
      n: { type: "string", nullable: true },
      m: { type: "object", additionalProperties: { type: "integer" } },
    },
  };
  const object: JsonValue = JSON.parse('{"a": null, "n": null, "gone": 1, "m": {"__proto__": 1, "constructor": 2}}') as JsonValue;
  for (const text of [
    "!has(self.a)",
    "!has(self.n)",
    "self.m['__proto__'] == 1",
    "self.m.constructor == 2",
    "!('toString' in self.m)",
    "self.m.size() == 2",
  ]) {
    assert.equal(compared(text, schema, object, {}), true, text);
  }
});

test("[CEL13] whatever the JSON is, an expression is evaluated or has an error", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      a: { type: "integer" },
      l: { type: "array", items: { type: "string", format: "duration" } },
      t: { type: "string", format: "date-time" },
      x: { "x-kubernetes-int-or-string": true },
    },
  };
  fc.assert(
    fc.property(fc.record({ a: fc.jsonValue(), l: fc.jsonValue(), t: fc.jsonValue(), x: fc.jsonValue() }), (object) => {
      for (const text of ["self.a > 0", "self.l.all(d, d > duration('1s'))", "self.t.getHours() > 1", "self.x == 1", "self == other"]) {
        compared(text, schema, object, {});
      }
    }),
  );
});

function compared(text: string, schema: JsonSchema, self: JsonValue, other: JsonValue): unknown {
  const type = schemaType(schema, "part", "self");
  const read = schemaReader(schema, "part");
  assert.ok(type !== undefined);
  const outcome = evaluate(text, { self: read(self), other: read(other) }, { self: type, other: type });
  return outcome.type === "Value" ? outcome.value : outcome.message;
}
