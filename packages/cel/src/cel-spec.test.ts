import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
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
  readonly value?: Encoded;
  readonly error?: true;
}

/** From the conformance tests of the language (cel.dev/expr v0.25.1), those that need no messages and mean the same in Kubernetes. */
const vectors = JSON.parse(readFileSync(new URL("../testdata/cel-spec.json", import.meta.url), "utf8")) as readonly SpecVector[];

test("[CEL17] the language is what its own conformance tests say", () => {
  for (const { name, expression, value: expected } of vectors) {
    const compiled = compile(expression, { variables: {} });
    const outcome = compiled.type === "Program" ? compiled.program.evaluate({}) : undefined;
    if (expected === undefined) {
      assert.notEqual(outcome?.type, "Value", `${name}: ${expression}`);
      continue;
    }
    assert.ok(outcome?.type === "Value", `${name}: ${expression}`);
    const wanted = decoded(expected);
    assert.equal(typeNameOf(outcome.value), typeNameOf(wanted), `${name}: ${expression}`);
    assert.ok(isNan(wanted) ? isNan(outcome.value) : equal(outcome.value, wanted) === true, `${name}: ${expression}`);
  }
});

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
