import type { CallExpr, Expr } from "../syntax/expr.ts";
import { estimateCall } from "./call-estimate.ts";
import type { CallEstimate, EstimatedCall, Operand } from "./call-estimate.ts";
import type { EntrySizes } from "./entry-sizes.ts";
import { Estimate, unknown } from "./estimate.ts";

/** What is known of the sizes of parts of an expression. */
export interface KnownSizes {
  entries(expr: Expr): EntrySizes | undefined;
  setEntries(expr: Expr, entries: EntrySizes | undefined): void;
}

const textFactor = 0.1;
const regexFactor = 0.25;

/** Estimates calls of the operators and functions of the language itself; what libraries say of theirs comes first. */
export class LanguageEstimator {
  readonly #known: KnownSizes;

  constructor(known: KnownSizes) {
    this.#known = known;
  }

  /** What a call costs, with its arguments but without what it is called on. */
  estimate(expr: CallExpr, call: EstimatedCall, costs: readonly Estimate[]): CallEstimate {
    const args = costs.reduce((sum, cost) => sum.plus(cost), Estimate.zero);
    const known = estimateCall(call) ?? this.#function(call);
    if (known !== undefined) return { cost: known.cost.plus(args), size: known.size };
    const [left, right] = call.args;
    switch (call.overload) {
      case "logical_or":
      case "logical_and":
        // The second operand may not have to be evaluated.
        return { cost: new Estimate(costs[0]?.min ?? 0, args.max) };
      case "conditional":
        return this.#conditional(expr, call, costs);
      case "add_string":
      case "add_bytes":
      case "add_list":
        return this.#sum(expr, call, args);
      default:
        if (left === undefined || right === undefined || !comparisons.has(call.overload)) return { cost: Estimate.one.plus(args) };
        return { cost: comparison(left, right).plus(args) };
    }
  }

  #function({ overload, target, args: [first, second] }: EstimatedCall): CallEstimate | undefined {
    const size = sizeOf(first);
    switch (overload) {
      case "string_format":
        return { cost: sizeOf(target).scaled(textFactor) };
      case "string_to_bytes":
        return { cost: size.scaled(textFactor), size: new Estimate(size.min, size.max * 4) };
      case "bytes_to_string":
        return { cost: size.scaled(textFactor), size: new Estimate(Math.trunc(size.min / 4), size.max) };
      case "strings_quote":
        return { cost: size.scaled(textFactor), size: new Estimate(size.min + 2, size.max * 2 + 2) };
      case "starts_with_string":
      case "ends_with_string":
        return { cost: size.scaled(textFactor) };
      case "in_list":
        return { cost: sizeOf(second) };
      case "matches_string":
        return { cost: sizeOf(target).plus(Estimate.one).scaled(textFactor).times(size.scaled(regexFactor)) };
      case "contains_string":
        return { cost: sizeOf(target).scaled(textFactor).times(size.scaled(textFactor)) };
      default:
        return undefined;
    }
  }

  #conditional(expr: CallExpr, { args: [, truthy, falsy] }: EstimatedCall, costs: readonly Estimate[]): CallEstimate {
    const [condition = Estimate.zero, then = Estimate.zero, otherwise = Estimate.zero] = costs;
    this.#joinEntries(expr, truthy, falsy);
    return { cost: condition.plus(then.union(otherwise)), size: sizeOf(truthy).union(sizeOf(falsy)) };
  }

  #sum(expr: CallExpr, { overload, args: [left, right] }: EstimatedCall, args: Estimate): CallEstimate {
    const size = sizeOf(left).plus(sizeOf(right));
    this.#joinEntries(expr, left, right);
    return { cost: (overload === "add_list" ? Estimate.one : size.scaled(textFactor)).plus(args), size };
  }

  #joinEntries(expr: CallExpr, left: Operand | undefined, right: Operand | undefined): void {
    const [mine, others] = [left && this.#known.entries(left.expr), right && this.#known.entries(right.expr)];
    if (mine === undefined || others === undefined) return;
    this.#known.setEntries(expr, {
      container: mine.container,
      keys: mine.keys.union(others.keys),
      values: mine.values.union(others.values),
    });
  }
}

const comparisons: ReadonlySet<string> = new Set([
  "equals",
  "not_equals",
  ...["less", "less_equals", "greater", "greater_equals"].flatMap((name) => [`${name}_string`, `${name}_bytes`]),
]);

function comparison(left: Operand, right: Operand): Estimate {
  const most = Math.min(sizeOf(left).max, sizeOf(right).max);
  return new Estimate(most > 0 ? 1 : 0, most).scaled(textFactor);
}

function sizeOf(operand: Operand | undefined): Estimate {
  return operand?.size ?? unknown;
}
