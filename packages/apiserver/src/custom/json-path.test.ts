import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ParseError, parseJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { JsonPathError, evaluateJsonPath } from "./json-path-evaluation.ts";
import { parseJsonPath } from "./json-path.ts";

/** Where client-go's jsonpath leads to; see tools/vectors/custom. */
interface JsonPathVector {
  readonly path: string;
  readonly outcome: "unreadable" | "nothing" | "found";
  readonly found?: readonly JsonValue[];
  readonly object?: JsonValue;
}

const vectors: readonly JsonPathVector[] = JSON.parse(readFileSync(new URL("../../testdata/json-paths.json", import.meta.url), "utf8"));

test("[CRD31] a path leads where it leads in client-go", () => {
  const object = vectors[0]?.object ?? null;
  assert.ok(vectors.length > 500);
  for (const { path, outcome, found } of vectors) {
    const expected = outcome === "found" ? found : outcome;
    assert.deepEqual(outcomeOf(path, object), expected, path);
  }
});

test("[CRD31] wildcards and descent find everything", () => {
  const object = { a: { name: "x" }, b: [{ name: "y" }] };
  assert.deepEqual(outcomeOf(".*", object), [{ name: "x" }, [{ name: "y" }]]);
  assert.deepEqual(outcomeOf("..name", object), ["x", "y"]);
});

test("[CRD31] prototype keys are plain fields", () => {
  assert.deepEqual(outcomeOf(".constructor", {}), "nothing");
  assert.deepEqual(outcomeOf(".__proto__", parseJson('{"__proto__":1}')), [1]);
});

function outcomeOf(path: string, object: JsonValue): readonly JsonValue[] | string {
  try {
    const found = evaluateJsonPath(parseJsonPath(path), object);
    return found.length === 0 ? "nothing" : found;
  } catch (error) {
    if (error instanceof ParseError) return "unreadable";
    if (error instanceof JsonPathError) return "nothing";
    throw error;
  }
}
