import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseJson, stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { JsonSchema } from "../schema/json-schema.ts";

/** Expressions with what a real kube-apiserver says about them. */
export interface CelVectors {
  /** Of the value that `self` is. */
  readonly schema: JsonSchema;
  readonly object: JsonValue;
  readonly rules: readonly RuleVector[];
  readonly expressions: readonly ExpressionVector[];
  readonly costs: readonly CostVector[];
}

/** An expression as a rule, and why it is refused as one; empty when it is not. */
export interface RuleVector {
  readonly rule: string;
  readonly refused: readonly string[];
}

/** An expression, and what it comes to. */
export interface ExpressionVector {
  readonly expression: string;
  readonly outcome:
    | { readonly value: string }
    | { readonly error: string }
    /** Refused before it is evaluated. */
    | { readonly refused: readonly string[] };
}

/** A rule for items of a list of so many items, and why it is refused as too expensive. */
export interface CostVector {
  readonly rule: string;
  readonly times: number;
  /** Whether the limits on sizes in the schema hold, or are left out. */
  readonly limits: "kept" | "dropped";
  readonly refused: readonly string[];
}

export const vectorsFile: string = fileURLToPath(new URL("../../testdata/kubernetes-1.36.json", import.meta.url));

/** What a real server made of each expression. */
export function readVectors(): CelVectors {
  const vectors: unknown = parseJson(readFileSync(vectorsFile, "utf8"));
  return vectors as CelVectors;
}

/** The rule by which an expression is evaluated: it never holds, since no value is shown like that, and shows the value in its message. */
export function ruleOf(expression: string): { readonly rule: string; readonly message: string; readonly messageExpression: string } {
  const shown = `'<%s>'.format([${expression}])`;
  return { rule: `${shown} == '(no such value)'`, message: "m", messageExpression: shown };
}

/** The value, or error, that a server reported for the rule of an expression. */
export function outcomeOf(body: string): ExpressionVector["outcome"] {
  const [, value] = /^Invalid value: <([^]*)>$/.exec(body) ?? [];
  return value === undefined ? { error: body } : { value };
}

/** Objects of no type of their own are named after the time on a real server. */
export function withoutTypeNames(text: string): string {
  return text.replaceAll(/selfType\d+/g, "selfType");
}

/** Writes the vectors, each on a line of its own. */
export function formatVectors({ schema, object, rules, expressions, costs }: CelVectors): string {
  const lines = (vectors: readonly unknown[]): string => vectors.map((vector) => `  ${stringifyJson(vector)}`).join(",\n");
  const head = `{\n "schema": ${stringifyJson(schema)},\n "object": ${stringifyJson(object)},\n`;
  const lists = { rules, expressions, costs };
  return `${head}${Object.entries(lists)
    .map(([name, vectors]) => ` "${name}": [\n${lines(vectors)}\n ]`)
    .join(",\n")}\n}\n`;
}

/** The schema that a vector about costs is about. */
export function limitedSchema(schema: JsonSchema, limits: CostVector["limits"]): JsonSchema {
  return limits === "kept" ? schema : (withoutLimits(schema) as JsonSchema);
}

function withoutLimits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLimits);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !["maxLength", "maxItems", "maxProperties"].includes(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutLimits(part)]));
}
