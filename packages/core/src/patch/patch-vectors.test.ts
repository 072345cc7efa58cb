import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { applyJsonPatch } from "./json-patch.ts";
import { parseJson, stringifyJson } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";
import { PatchError } from "./patch-error.ts";
import { applyStrategicMergePatch, createThreeWayMergePatch, createTwoWayMergePatch } from "./strategic-merge-patch.ts";
import type { PatchField, PatchSchema } from "./strategic-merge/patch-schema.ts";
import { structuralEqual } from "../json/structural-equal.ts";
import { createThreeWayJsonMergePatch } from "./three-way-json-merge-patch.ts";

/** What `tools/vectors/patches` writes: cases, and what the libraries of Kubernetes make of them. */
interface Vector {
  readonly do: keyof typeof functions;
  readonly name: string;
  readonly type: string;
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly current: JsonObject;
  readonly patch: JsonObject;
  readonly overwrite?: boolean;
  readonly want?: JsonValue;
  readonly error?: string;
  readonly conflict?: boolean;
  readonly panics?: boolean;
}

type Table = Readonly<Record<string, Readonly<Record<string, PatchField & { readonly type: string }>>>>;

const file: unknown = parseJson(readFileSync(new URL("../../testdata/patches.json", import.meta.url), "utf8"));
const { schema: table, vectors } = file as { readonly schema: Table; readonly vectors: readonly Vector[] };

const functions = {
  applyJsonPatch: ({ original, patch }: Vector) => applyJsonPatch(original, patch),
  applyMergePatch: ({ original, patch }: Vector) => applyMergePatch(original, patch),
  createMergePatch: ({ original, modified }: Vector) => createMergePatch(original, modified),
  createThreeWayJsonMergePatch: (vector: Vector) => createThreeWayJsonMergePatch(vector),
  applyStrategicMergePatch: ({ original, patch, type }: Vector) => applyStrategicMergePatch(original, patch, schemaOf(type)),
  createTwoWayMergePatch: ({ original, modified, type }: Vector) => createTwoWayMergePatch(original, modified, schemaOf(type)),
  createThreeWayMergePatch: (vector: Vector) =>
    createThreeWayMergePatch(vector, schemaOf(vector.type), { overwrite: vector.overwrite ?? false }),
} as const;

for (const [name, cases] of Map.groupBy(vectors, (vector) => vector.do)) {
  describe(`[PATCH1] ${name} does as Kubernetes does`, () => {
    for (const vector of cases) test(vector.name, () => check(vector));
  });
}

test("[PATCH1] the vectors are many", () => {
  assert.ok(vectors.length >= 400, String(vectors.length));
});

function check(vector: Vector): void {
  const before = stringifyJson(vector);
  const outcome = run(vector);
  assert.equal(stringifyJson(vector), before, "an input changed");
  if (vector.panics === true) return;
  if (vector.conflict === true) {
    assert.ok(outcome instanceof PatchError && outcome.reason === "Conflict", "no conflict");
  } else if (vector.error === undefined) {
    if (outcome instanceof PatchError) throw outcome;
    if (!structuralEqual(outcome, vector.want)) assert.equal(stringifyJson(outcome, 1), stringifyJson(vector.want, 1));
  } else {
    assert.ok(outcome instanceof PatchError, `no error, but ${stringifyJson(outcome)}`);
    assert.equal(outcome.message, vector.error);
  }
}

function run(vector: Vector): JsonValue | PatchError {
  try {
    return functions[vector.do](deepFreeze(vector));
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
}

function schemaOf(type: string): PatchSchema {
  const fields = table[type] ?? {};
  return {
    name: type.slice(type.lastIndexOf(".") + 1),
    field(name) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field === undefined || table[field.type] === undefined ? field : { ...field, type: schemaOf(field.type) };
    },
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
