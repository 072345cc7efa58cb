import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath } from "@kaji/core";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";
import { validateDefaults } from "./default-validation.ts";

test("[CRD6] a default that breaks a rule is refused, wherever in it the rule stands", () => {
  const small = { rule: "self < 3", message: "too large" };
  const integer: JsonSchemaProps = { type: "integer", "x-kubernetes-validations": [small] };
  assert.deepEqual(complaints({ ...integer, default: 5 }), ["properties[spec].default: Invalid value: 5: too large"]);
  assert.deepEqual(complaints({ ...integer, default: 2 }), []);
  assert.deepEqual(complaints({ type: "array", default: [1, 7], items: integer }), [
    "properties[spec].default[1]: Invalid value: 7: too large",
  ]);
  assert.deepEqual(complaints({ type: "object", default: { k: 4 }, additionalProperties: integer }), [
    "properties[spec].default[k]: Invalid value: 4: too large",
  ]);
});

test("[CRD6] a default is complete as it stands: what the schema would fill in is not there for a rule", () => {
  const schema: JsonSchemaProps = {
    type: "object",
    default: {},
    properties: { a: { type: "integer", default: 1 } },
    "x-kubernetes-validations": [{ rule: "self.a == 1" }],
  };
  const complaint = 'properties[spec].default: Invalid value: "object": no such key: a evaluating rule: self.a == 1';
  assert.deepEqual(complaints(schema), [complaint]);
});

test("[CRD6] a default must be good as a change to itself, and as a new value", () => {
  const integer: JsonSchemaProps = { type: "integer", default: 3 };
  const rules = (rule: string, optionalOldSelf: boolean): JsonSchemaProps => ({
    ...integer,
    "x-kubernetes-validations": [{ rule, optionalOldSelf }],
  });
  assert.deepEqual(complaints(rules("self > oldSelf", false)), ["properties[spec].default: Invalid value: 3: failed rule: self > oldSelf"]);
  assert.deepEqual(complaints(rules("oldSelf.hasValue()", true)), [
    "properties[spec].default: Invalid value: 3: failed rule: oldSelf.hasValue()",
  ]);
  assert.deepEqual(complaints(rules("self == oldSelf", false)), []);
});

function complaints(spec: JsonSchemaProps): readonly string[] {
  return validateDefaults({ type: "object", properties: { spec } }, FieldPath.root).map(({ field, body }) => `${field}: ${body}`);
}
