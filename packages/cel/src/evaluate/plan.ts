import type { Value } from "../value/value.ts";
import type { Frame } from "./frame.ts";

/** Evaluates a part of an expression. */
export type Run = (frame: Frame) => Value;

/** How a part of an expression is evaluated. */
export interface Plan {
  readonly run: Run;
  /** The value, when it is known without evaluating. */
  readonly constant?: Value;
  /** Whether it is a variable, or a field or item of something; cel-go does not count all steps of those. */
  readonly isAttribute: boolean;
  /** Whether it is a choice, which costs nothing itself. */
  readonly isChoice?: true;
}

/** Why an expression cannot be evaluated whatever the variables are. */
export class InvalidConstant extends Error {}

export function constantPlan(value: Value): Plan {
  return { run: () => value, constant: value, isAttribute: false };
}

export function isConstant(plan: Plan): plan is Plan & { readonly constant: Value } {
  return plan.constant !== undefined;
}
