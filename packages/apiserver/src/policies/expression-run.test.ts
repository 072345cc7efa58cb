import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonValue } from "@kaji/cel";
import type { Bindings } from "@kaji/cel";
import { admissionExpression } from "./admission-expression.ts";
import { compileVariables } from "./compiled-policy.ts";
import { expressionEnvironment } from "./expression-scope.ts";
import { policyBudget, runExpressions } from "./expression-run.ts";
import type { ExpressionRun } from "./expression-run.ts";

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  readonly budget?: number;
}

function run(texts: readonly string[], { variables = {}, budget = policyBudget }: Given = {}): ExpressionRun {
  const named = Object.entries(variables).map(([name, expression]) => ({ name, expression }));
  const { expressions, types } = compileVariables(named, { hasParams: false });
  const environment = expressionEnvironment({ hasParams: false, hasAuthorizer: true, variables: types });
  const bindings: Bindings = { object: jsonValue({ data: { a: "b" } }) };
  const compiled = texts.map((text) => admissionExpression(text, environment, "anything"));
  const byName = new Map(named.flatMap(({ name }, index) => (expressions[index] === undefined ? [] : [[name, expressions[index]]])));
  return runExpressions(compiled, byName, bindings, budget);
}

/** What each came to. */
function values(ran: ExpressionRun): readonly unknown[] {
  return ran.type === "OutOfBudget" ? [ran.message] : ran.outcomes.map((each) => (each?.type === "Value" ? each.value : each?.message));
}

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

test("[VP5] variables speak of those before them, and are evaluated when they are needed", () => {
  const variables = { one: "object.data.a", broken: "object.nothing", two: "variables.one + 'c'" };
  assert.deepEqual(values(run(["variables.two", "true || variables.broken"], { variables })), ["bc", true]);
  assert.deepEqual(values(run(["variables.broken == 1"], { variables })), [
    `expression 'variables.broken == 1' resulted in error: composited variable "broken" fails to evaluate: no such key: nothing`,
  ]);
});

test("[VP5] what a variable costs is paid once in a run", () => {
  const variables = { big: "[1, 2, 3, 4, 5, 6, 7, 8].map(x, x * 2)" };
  const once = run(["variables.big.size() > 0"], { variables });
  const twice = run(["variables.big.size() > 0", "variables.big.size() > 0"], { variables });
  assert.ok(once.type === "Done" && twice.type === "Done");
  const own = once.remaining - twice.remaining;
  assert.ok(policyBudget - once.remaining > own * 3, `${policyBudget - once.remaining} and then ${own}`);
});

test("[VP6] nothing is told of any expression when the budget does not suffice for all", () => {
  assert.deepEqual(values(run(["object.data.a == 'b'", "object.data.a == 'b'"], { budget: 4 })), [outOfBudget]);
  assert.deepEqual(values(run(["variables.x"], { variables: { x: "[1, 2, 3].map(x, x * 2)" }, budget: 4 })), [outOfBudget]);
});

test("[VP6] an expression that cannot be compiled fails when it is evaluated, and leaves the others alone", () => {
  const [first, second] = values(run(["object.", "1 + 1"]));
  assert.match(first as string, /^compilation error: compilation failed: ERROR: <input>:1:8: Syntax error/);
  assert.equal(second, 2);
});
