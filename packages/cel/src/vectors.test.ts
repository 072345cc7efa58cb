import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compile } from "./compile.ts";
import type { Compilation, Environment } from "./compile.ts";
import { schemaType } from "./schema/schema-type.ts";
import { schemaReader } from "./schema/schema-value.ts";
import { schemaSizes } from "./cost/schema-sizes.ts";
import { limitedSchema, readVectors, ruleOf } from "./testing/vectors.ts";
import type { ExpressionVector } from "./testing/vectors.ts";

interface Difference {
  readonly text: string;
  readonly reason: string;
}

const vectors = readVectors();
const differences = JSON.parse(readFileSync(new URL("../testdata/differences.json", import.meta.url), "utf8")) as readonly Difference[];
const type = schemaType(vectors.schema, "part", "selfType");
assert.ok(type !== undefined);
const environment: Environment = { variables: { self: type, oldSelf: type } };
const self = schemaReader(vectors.schema, "part")(vectors.object);

test("[CEL1] expressions are refused and evaluated as by the real server, but for the differences that are listed", () => {
  const refused = vectors.rules
    .filter(({ rule, refused }) => refusal(rule) !== refused.map(withoutRule).join("\n"))
    .map(({ rule }) => rule);
  const evaluated = vectors.expressions
    .filter(({ expression, outcome }) => comesTo(expression) !== shown(outcome))
    .map(({ expression }) => expression);
  assert.deepEqual(
    [...refused, ...evaluated],
    differences.map(({ text }) => text),
  );
  assert.ok(differences.length < (vectors.rules.length + vectors.expressions.length) * 0.03);
});

test("[CEL16] the most that an expression can cost is estimated as by the real server", () => {
  for (const { rule, times, limits, refused } of vectors.costs) {
    const sizes = schemaSizes(limitedSchema(vectors.schema, limits), "part");
    const compiled = compile(rule, environment);
    assert.ok(sizes !== undefined && compiled.type === "Program");
    const factor = (compiled.program.estimateCost(sizes) * times) / 10_000_000;
    const shown = factor > 100 ? "more than 100x" : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
    assert.ok(refused[0]?.includes(`estimated rule cost exceeds budget by factor of ${shown} `), `${rule} ${factor} ${refused[0]}`);
  }
});

function refusal(rule: string): string {
  const compiled = compile(rule, environment);
  if (compiled.type !== "Program") return problemOf(compiled);
  return compiled.program.type.kind === "bool" ? "" : "cel expression must evaluate to a bool";
}

function comesTo(expression: string): string {
  const { rule, messageExpression } = ruleOf(expression);
  const compiled = compile(rule, environment);
  if (compiled.type !== "Program") return `refused: ${problemOf(compiled)}`;
  const held = compiled.program.evaluate({ self });
  if (held.type !== "Value") return `error: ${held.message}`;
  const message = compile(messageExpression, environment);
  const told = message.type === "Program" ? message.program.evaluate({ self }) : undefined;
  return told?.type === "Value" && typeof told.value === "string" ? `value: ${told.value.slice(1, -1)}` : "no message";
}

function problemOf(compiled: Exclude<Compilation, { readonly type: "Program" }>): string {
  return `${compiled.type === "Issues" ? "compilation" : "program instantiation"} failed: ${compiled.message}`;
}

function shown(outcome: ExpressionVector["outcome"]): string {
  if ("value" in outcome) return `value: ${outcome.value}`;
  if ("refused" in outcome) return `refused: ${withoutRule(outcome.refused[0] ?? "")}`;
  const text = outcome.error.replace(/^Invalid value: "object": /, "").replace(/ evaluating rule: m$/, "");
  return `error: ${text.replace(/^'(.*)': call arguments did not match .*$/s, "$1")}`;
}

/** The server shows the rule that it refuses. */
function withoutRule(cause: string): string {
  return cause.replace(/^Invalid value: \{.*?\}: /s, "");
}
