import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FieldPath } from "../error/field-path.ts";
import { validateAnnotations, validateLabels } from "./labels.ts";
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from "./names.ts";

const rules = {
  dns1123Label: dns1123LabelErrors,
  dns1123Subdomain: dns1123SubdomainErrors,
  dns1035Label: dns1035LabelErrors,
  qualifiedName: qualifiedNameErrors,
  labelValue: labelValueErrors,
  pathSegment: pathSegmentErrors,
};

type Vector = { readonly value: string; readonly annotation?: readonly string[] } & {
  readonly [rule in keyof typeof rules]?: readonly string[];
};

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("../../testdata/names.json", import.meta.url), "utf8"));
const path = FieldPath.of("metadata", "annotations");

for (const [name, errorsOf] of Object.entries(rules)) {
  test(`[NAME1] ${name}: says what apimachinery says`, () => {
    for (const vector of vectors) assert.deepEqual(errorsOf(vector.value), vector[name as keyof typeof rules] ?? [], vector.value);
  });
}

test("[NAME2] the case of an annotation's key does not matter", () => {
  for (const { value, annotation = [] } of vectors) {
    const errors = validateAnnotations({ [value]: "" }, path);
    assert.deepEqual(
      errors.map(({ field, body }) => `${field}: ${body}`),
      annotation,
      value,
    );
  }
});

test("[NAME3] all annotations together have at most 262144 bytes, keys included", () => {
  const limit = 262_144;
  assert.deepEqual(validateAnnotations({ a: "x".repeat(limit - 2), b: "" }, path), []);
  assert.deepEqual(validateAnnotations({ a: "x".repeat(limit - 1), b: "" }, path), [
    { type: "FieldValueTooLong", field: "metadata.annotations", body: "Too long: may not be more than 262144 bytes" },
  ]);
  assert.equal(validateAnnotations({ a: "é".repeat(limit / 2) }, path).length, 1);
});

test("labels are checked by key and by value", () => {
  assert.deepEqual(validateLabels({ app: "web", "example.com/tier": "" }, path), []);
  const errors = validateLabels({ "a b": "c d" }, path);
  assert.deepEqual(
    errors.map(({ body }) => body.slice(0, 20)),
    ['Invalid value: "a b"', 'Invalid value: "c d"'],
  );
});
