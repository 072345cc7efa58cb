import type { CheckedExpr } from "./check/checker.ts";
import type { Type } from "./check/type.ts";
import { estimateCost } from "./cost/cost-estimator.ts";
import type { SchemaSizes } from "./cost/schema-sizes.ts";
import { CostExceeded, Frame, Uncountable } from "./evaluate/frame.ts";
import { plan } from "./evaluate/planner.ts";
import type { PlannedExpr } from "./evaluate/planner.ts";
import { isError } from "./value/value.ts";
import type { Value } from "./value/value.ts";

/** The values of variables by name; one that is absent is an error only where it is used. */
export type Bindings = Readonly<Record<string, Value>>;

/** The result of an evaluation, and what it cost. */
export type Outcome =
  | { readonly type: "Value"; readonly value: Exclude<Value, { readonly kind: "error" }>; readonly cost: number }
  | { readonly type: "Error"; readonly message: string; readonly cost: number }
  | { readonly type: "CostExceeded"; readonly message: string; readonly cost: number };

/** Kubernetes' limit for one expression; validation, which evaluates many, has another limit for all of them together. */
export const costLimitPerExpression = 1_000_000;

/** How far an evaluation may go. */
export interface EvaluateOptions {
  /** What the evaluation may cost. Default 1,000,000, as in Kubernetes. */
  readonly costLimit?: number;
}

/** An expression that was compiled and can be evaluated any number of times. */
export class Program {
  /** The type of what it evaluates to. */
  readonly type: Type;
  readonly #checked: CheckedExpr;
  readonly #planned: PlannedExpr;

  constructor(checked: CheckedExpr) {
    this.type = checked.typeOf(checked.expr);
    this.#checked = checked;
    this.#planned = plan(checked);
  }

  /** Whether a variable is used in it. */
  uses(variable: string): boolean {
    return this.#planned.variables.includes(variable);
  }

  /** The most that an evaluation can cost when all variables are of a schema, as Kubernetes estimates it before it accepts an expression. */
  estimateCost(sizes: SchemaSizes): number {
    return estimateCost(this.#checked, sizes);
  }

  evaluate(bindings: Bindings, { costLimit = costLimitPerExpression }: EvaluateOptions = {}): Outcome {
    const { run, variables, slots } = this.#planned;
    const values: (Value | undefined)[] = [];
    for (const name of variables) values.push(Object.hasOwn(bindings, name) ? bindings[name] : undefined);
    values.length = slots;
    const frame = new Frame(values, costLimit);
    try {
      const value = run(frame);
      const { cost } = frame;
      return isError(value) ? { type: "Error", message: value.message, cost } : { type: "Value", value, cost };
    } catch (error) {
      if (error instanceof Uncountable) return { type: "Error", message: error.message, cost: frame.cost };
      if (error instanceof CostExceeded) return { type: "CostExceeded", message: error.message, cost: frame.cost };
      throw error;
    }
  }
}
