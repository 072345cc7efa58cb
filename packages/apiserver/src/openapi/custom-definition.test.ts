import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@kaji/core";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import { customDefinition } from "./custom-definition.ts";
import { typeProperties } from "@kaji/core/serving";
import { objectMetadata } from "./object-properties.ts";
import type { OpenApiForm } from "./published-schema.ts";

const group = "example.com";
const kind = { object: { group, kind: "Foo", version: "v1" }, list: { group, kind: "FooList", version: "v1" }, selectableFields: [] };
const text = { type: "string" };
const metadata = objectMetadata;

describe("the definition of a custom kind", () => {
  test("[OAS10] has type and metadata as every object, whatever its schema says of them, and names its kind", () => {
    const schema: JsonSchemaProps = {
      type: "object",
      description: "A foo.",
      properties: { kind: { type: "string", description: "own words" }, metadata: { type: "object" }, data: { type: "string" } },
    };
    assert.deepEqual(written(schema, "v3"), {
      type: "object",
      description: "A foo.",
      properties: { ...typeProperties, metadata, data: text },
      "x-kubernetes-group-version-kind": [kind.object],
    });
  });

  test("[OAS10] names the fields that it can be selected by", () => {
    const { "x-kubernetes-selectable-fields": fields } = customDefinition(
      { type: "object" },
      { ...kind, selectableFields: ["spec.color"] },
      "v3",
    );
    assert.deepEqual(fields, [{ fieldPath: "spec.color" }]);
  });

  test("[OAS12] keeps names of JavaScript's own as plain data", () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}') as Record<string, JsonSchemaProps>;
    for (const form of ["v2", "v3"] as const)
      assert.deepEqual(published({ type: "object", properties }, form), { type: "object", properties });
  });
});

describe("in v3", () => {
  test("[OAS11] a schema is published as it is, without a default of null", () => {
    const schema: JsonSchemaProps = {
      type: "array",
      nullable: true,
      default: ["x"],
      items: { type: "object", additionalProperties: { type: "integer", minimum: 1, default: null } },
      "x-kubernetes-list-type": "set",
      "x-kubernetes-validations": [{ rule: "true" }],
    };
    const items = { type: "object", additionalProperties: { type: "integer", minimum: 1 } };
    assert.deepEqual(published(schema, "v3"), { ...schema, items });
    assert.deepEqual(published({ type: "object", additionalProperties: true }, "v3"), { type: "object", additionalProperties: true });
  });

  test("[OAS11] an integer or string is said to be one or the other, unless the schema says so itself", () => {
    const anyOf = [{ type: "integer" }, text];
    const mark = { "x-kubernetes-int-or-string": true };
    assert.deepEqual(published({ ...mark }, "v3"), { ...mark, anyOf });
    assert.deepEqual(published({ ...mark, anyOf, pattern: "^1" }, "v3"), { ...mark, anyOf, pattern: "^1" });
    assert.deepEqual(published({ ...mark, allOf: [{ anyOf }] }, "v3"), { ...mark, allOf: [{ anyOf }] });
    const other = [{ pattern: "a" }];
    assert.deepEqual(published({ ...mark, anyOf: other, allOf: other }, "v3"), { ...mark, anyOf: other, allOf: [{ anyOf }, ...other] });
  });

  test("[OAS11] an embedded object has type and metadata, and must have a type", () => {
    const mark = { "x-kubernetes-embedded-resource": true, type: "object" };
    const properties = { ...typeProperties, metadata };
    assert.deepEqual(published({ ...mark, required: ["kind", "spec"], properties: { spec: { type: "object" } } }, "v3"), {
      ...mark,
      required: ["kind", "spec", "apiVersion"],
      properties: { ...properties, spec: { type: "object" } },
    });
    const open = { ...mark, "x-kubernetes-preserve-unknown-fields": true };
    assert.deepEqual(published(open, "v3"), { ...open, required: ["kind", "apiVersion"], properties });
  });
});

describe("in v2", () => {
  const open = { "x-kubernetes-preserve-unknown-fields": true };

  test("[OAS13] a kind that keeps unknown fields is an object, and no more is said", () => {
    const schema = { type: "object", ...open, properties: { spec: { type: "object" } } };
    assert.deepEqual(written(schema, "v2"), { type: "object", "x-kubernetes-group-version-kind": [kind.object] });
  });

  test("[OAS13] what keeps unknown fields is of any type, and nothing is said of its fields", () => {
    assert.deepEqual(published({ type: "object", ...open, properties: { a: text } }, "v2"), open);
    assert.deepEqual(published({ type: "array", items: { type: "object", ...open } }, "v2"), { type: "array", items: open });
    const embedded = { "x-kubernetes-embedded-resource": true, ...open };
    assert.deepEqual(published({ type: "object", ...embedded, required: ["kind"] }, "v2"), { ...embedded, required: ["kind"] });
  });

  test("[OAS13] what may be null is of any type, and not required", () => {
    const nullable = { type: "object", nullable: true, description: "maybe", properties: { a: text } };
    const schema: JsonSchemaProps = { type: "object", required: ["a", "b"], properties: { a: nullable, b: text } };
    assert.deepEqual(published(schema, "v2"), { type: "object", required: ["b"], properties: { a: { description: "maybe" }, b: text } });
    const map: JsonSchemaProps = { type: "object", required: ["a"], additionalProperties: { type: "string", nullable: true } };
    assert.deepEqual(published(map, "v2"), { type: "object", additionalProperties: {} });
  });

  test("[OAS13] alternatives and conditions on several schemas are left out", () => {
    const schema: JsonSchemaProps = {
      type: "string",
      anyOf: [{ pattern: "a" }],
      oneOf: [{ pattern: "a" }],
      allOf: [{}],
      not: {},
      minLength: 1,
    };
    assert.deepEqual(published(schema, "v2"), { type: "string", minLength: 1 });
    assert.deepEqual(published({ "x-kubernetes-int-or-string": true }, "v2"), { "x-kubernetes-int-or-string": true });
  });
});

/** The definition as it stands in a document. */
function written(schema: JsonSchemaProps, form: OpenApiForm): JsonObject {
  return JSON.parse(JSON.stringify(customDefinition(schema, kind, form))) as JsonObject;
}

/** How the schema of one field is published. */
function published(schema: JsonSchemaProps, form: OpenApiForm): JsonObject {
  const definition = written({ type: "object", properties: { field: schema } }, form);
  return (definition["properties"] as { readonly field: JsonObject }).field;
}
