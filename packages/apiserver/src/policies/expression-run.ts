import { ErrorValue } from "@kaji/cel";
import type { Bindings, MapValue, Outcome, Value } from "@kaji/cel";
import { quote } from "@kaji/core/go";
import type { AdmissionExpression } from "./admission-expression.ts";

/** What one expression came to. */
export type ExpressionOutcome = { readonly type: "Value"; readonly value: Value } | { readonly type: "Failed"; readonly message: string };

/** What expressions came to, each at its place, and what of the budget they left. Nothing is told of any when the budget does not suffice. */
export type ExpressionRun =
  | { readonly type: "Done"; readonly outcomes: readonly (ExpressionOutcome | undefined)[]; readonly remaining: number }
  | { readonly type: "OutOfBudget"; readonly message: string };

/** The variables of a policy by name. Each may speak of those before it. */
export type PolicyVariables = ReadonlyMap<string, AdmissionExpression>;

/** The limit for all expressions of one sort in one policy. */
export const policyBudget = 10_000_000;
/** The limit for all match conditions of a webhook or policy together. */
export const conditionBudget = 2_500_000;

/** Evaluates expressions one after the other. Variables are evaluated when they are first needed, at most once in a run. */
export function runExpressions(
  expressions: readonly (AdmissionExpression | undefined)[],
  variables: PolicyVariables,
  bindings: Bindings,
  budget: number,
): ExpressionRun {
  const values = new VariableValues(variables, bindings);
  const outcomes: (ExpressionOutcome | undefined)[] = [];
  let remaining = budget;
  for (const expression of expressions) {
    if (expression?.type !== "Compiled") {
      outcomes.push(expression && { type: "Failed", message: `compilation error: ${expression.problem}` });
      continue;
    }
    const outcome = expression.program.evaluate(values.bindings);
    remaining -= outcome.cost + values.takeCost();
    if (remaining < 0) {
      return {
        type: "OutOfBudget",
        message: "validation failed due to running out of cost budget, no further validation rules will be run",
      };
    }
    outcomes.push(outcomeOf(expression.text, outcome));
  }
  return { type: "Done", outcomes, remaining };
}

function outcomeOf(text: string, outcome: Outcome): ExpressionOutcome {
  if (outcome.type === "Value") return { type: "Value", value: outcome.value };
  return { type: "Failed", message: `expression '${text}' resulted in error: ${outcome.message}` };
}

/** What `variables` stands for. */
class VariableValues implements MapValue {
  readonly kind = "map";
  readonly bindings: Bindings;
  readonly #variables: PolicyVariables;
  readonly #values = new Map<string, Value>();
  #cost = 0;

  constructor(variables: PolicyVariables, bindings: Bindings) {
    this.#variables = variables;
    this.bindings = { ...bindings, variables: this };
  }

  get size(): number {
    return this.#variables.size;
  }

  keys(): readonly string[] {
    return [...this.#variables.keys()];
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return new ErrorValue("no such overload");
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const variable = this.#variables.get(key);
    if (variable === undefined) return undefined;
    const value = this.#evaluate(key, variable);
    this.#values.set(key, value);
    return value;
  }

  /** What variables cost since this was last asked. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, variable: AdmissionExpression): Value {
    const failed = (why: string): ErrorValue => new ErrorValue(`composited variable ${quote(name)} fails to ${why}`);
    if (variable.type === "Faulty") return failed(`compile: ${variable.problem}`);
    const outcome = variable.program.evaluate(this.bindings);
    this.#cost += outcome.cost;
    return outcome.type === "Value" ? outcome.value : failed(`evaluate: ${outcome.message}`);
  }
}
