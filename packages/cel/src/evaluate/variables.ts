import type { CheckedExpr } from "../check/checker.ts";
import { partsOf } from "../syntax/expr.ts";
import type { Expr } from "../syntax/expr.ts";

/** The variables from outside that an expression uses; those of its loops and the names of types are none. */
export function variablesOf(checked: CheckedExpr): ReadonlySet<string> {
  const found = new Set<string>();
  collect(checked, checked.expr, new Set(), found, new Set());
  return found;
}

function collect(checked: CheckedExpr, expr: Expr, bound: ReadonlySet<string>, found: Set<string>, seen: Set<Expr>): void {
  if (seen.has(expr)) return;
  seen.add(expr);
  const reference = checked.referenceOf(expr);
  if (reference?.type === "Ident") {
    const isVariable = !bound.has(reference.name) && checked.typeOf(expr).kind !== "type";
    if (isVariable) found.add(reference.name);
    return;
  }
  if (expr.type === "Call" && expr.target !== undefined && reference?.type === "Function" && !reference.isMember) {
    // The target is the namespace in the function's name, not a variable.
    for (const arg of expr.args) collect(checked, arg, bound, found, seen);
    return;
  }
  if (expr.type !== "Comprehension") {
    for (const part of partsOf(expr)) collect(checked, part, bound, found, seen);
    return;
  }
  for (const part of [expr.range, expr.init]) collect(checked, part, bound, found, seen);
  const { accumulator, variable, secondVariable = variable } = expr;
  const names = new Set([...bound, accumulator, variable, secondVariable]);
  for (const part of [expr.step, expr.result]) collect(checked, part, names, found, seen);
}
