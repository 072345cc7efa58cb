import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  uintType,
} from "./check/type.ts";
import type { Type } from "./check/type.ts";
import { compile } from "./compile.ts";
import { equal } from "./value/equality.ts";
import { intOf } from "./value/int-arithmetic.ts";
import { listOf } from "./value/list-value.ts";
import { mapOf } from "./value/map-value.ts";
import { Double, TypeValue, Uint, typeNameOf } from "./value/value.ts";
import type { Value } from "./value/value.ts";

/** A value by its type: `["int", "1"]`, `["list", [["int", "1"]]]`. */
type Encoded =
  | readonly ["int" | "uint" | "double" | "string" | "bytes" | "bool" | "null" | "type", string]
  | readonly ["list", readonly Encoded[]]
  | readonly ["map", readonly (readonly [Encoded, Encoded])[]];

interface SpecVector {
  readonly name: string;
  readonly expression: string;
  /** Variables by name: their types and, if they have any, values. */
  readonly variables?: Readonly<Record<string, readonly [type: string, value?: Encoded]>>;
  /** The type that is deduced, where that is the question. */
  readonly type?: string;
  readonly value?: Encoded;
  readonly error?: true;
}

/**
 * From the conformance tests of the language (cel.dev/expr v0.25.1), those that mean the same in Kubernetes; `cel-spec-left-out.json` has the others, with the reasons.
 */
const vectors = JSON.parse(readFileSync(new URL("../testdata/cel-spec.json", import.meta.url), "utf8")) as readonly SpecVector[];

test("[CEL17] the language is what its own conformance tests say", () => {
  for (const vector of vectors) {
    const { name, expression, variables = {}, type, value: expected, error } = vector;
    const about = `${name}: ${expression}`;
    const entries = Object.entries(variables);
    const compiled = compile(expression, { variables: Object.fromEntries(entries.map(([variable, [text]]) => [variable, typeOf(text)])) });
    if (type !== undefined) assert.equal(compiled.type === "Program" ? formatType(compiled.program.type) : compiled.message, type, about);
    if (expected === undefined && error === undefined) continue;
    const bindings = Object.fromEntries(
      entries.flatMap(([variable, [, value]]) => (value === undefined ? [] : [[variable, decoded(value)]])),
    );
    const outcome = compiled.type === "Program" ? compiled.program.evaluate(bindings) : undefined;
    if (expected === undefined) {
      assert.notEqual(outcome?.type, "Value", about);
      continue;
    }
    assert.ok(outcome?.type === "Value", about);
    const wanted = decoded(expected);
    assert.equal(typeNameOf(outcome.value), typeNameOf(wanted), about);
    assert.ok(isNan(wanted) ? isNan(outcome.value) : equal(outcome.value, wanted) === true, about);
  }
});

test("[CEL17] no conformance test of the language is left out without a reason, and nine in ten of those that apply pass", () => {
  const leftOut = JSON.parse(readFileSync(new URL("../testdata/cel-spec-left-out.json", import.meta.url), "utf8")) as readonly LeftOut[];
  const failing = leftOut.filter(({ reason }) => reason.endsWith("not supported here")).flatMap(({ tests }) => tests);
  assert.equal(vectors.length + leftOut.flatMap(({ tests }) => tests).length, specTests);
  assert.ok(vectors.length / (vectors.length + failing.length) > 0.9);
});

/** How many there are in cel.dev/expr v0.25.1. */
const specTests = 2344;

interface LeftOut {
  readonly reason: string;
  readonly tests: readonly string[];
}

/** A type as it is written: `int`, `list(int)`, `map(string, int)`. */
function typeOf(text: string): Type {
  const [, container, rest = ""] = /^(list|map)\((.*)\)$/.exec(text) ?? [];
  if (container === "list") return listType(typeOf(rest));
  if (container === "map") return mapType(typeOf(rest.slice(0, rest.indexOf(", "))), typeOf(rest.slice(rest.indexOf(", ") + 2)));
  const simple = simpleTypes.find((type) => formatType(type) === text);
  assert.ok(simple !== undefined, text);
  return simple;
}

const simpleTypes = [boolType, bytesType, doubleType, dynType, intType, nullType, stringType, uintType];

function decoded(encoded: Encoded): Value {
  switch (encoded[0]) {
    case "int":
      return intOf(BigInt(encoded[1]));
    case "uint":
      return new Uint(BigInt(encoded[1]));
    case "double":
      return new Double(Number(encoded[1].replace(/^(-?)inf(?:inity)?$/i, "$1Infinity")));
    case "string":
      return encoded[1];
    case "bytes":
      return Buffer.from(encoded[1], "hex");
    case "bool":
      return encoded[1] === "true";
    case "null":
      return null;
    case "type":
      return new TypeValue(encoded[1]);
    case "list":
      return listOf(encoded[1].map(decoded));
    case "map":
      return mapOf(encoded[1].map(([key, value]) => [decoded(key), decoded(value)]));
    default:
      return encoded satisfies never;
  }
}

function isNan(value: Value): boolean {
  return value instanceof Double && Number.isNaN(value.value);
}
