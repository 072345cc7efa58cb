import type { CallCost, FunctionDeclaration, Implementation, Overload } from "../check/declaration.ts";
import type { Reference } from "../check/checker.ts";
import { equal } from "../value/equality.ts";
import { itemsOf } from "../value/list-value.ts";
import { Optional, isError, isList } from "../value/value.ts";
import type { ListValue, Value } from "../value/value.ts";
import { callCost } from "./call-cost.ts";
import type { Frame } from "./frame.ts";
import { InvalidConstant, constantPlan, isConstant } from "./plan.ts";
import type { Plan, Run } from "./plan.ts";
import { accepts, noOverloadFor } from "./runtime-type.ts";

/** The function that a call refers to. */
export type FunctionReference = Extract<Reference, { readonly type: "Function" }>;

/** A call of a function of which all arguments are evaluated first. */
export function planCall({ declaration, overloads }: FunctionReference, args: readonly Plan[]): Plan {
  const { name, isOperator = false } = declaration;
  const known = specialized(overloads, args);
  const invoke = known ?? invocation(declaration, overloads);
  const cost = callCost(name, overloads);
  const [only] = overloads;
  if (known === undefined && isOperator && only !== undefined && typeof cost === "number" && args.length === 2)
    return planBinary(only.call, args, cost);
  return { run: runWith(args, cost, (_frame, values) => invoke(values)), isAttribute: false };
}

/** What most operators are: two operands that need no look at their types, and a cost that is known. */
function planBinary(call: Implementation, args: readonly Plan[], cost: number): Plan {
  const [left, right] = args.map(({ run }) => run);
  if (left === undefined || right === undefined) throw new RangeError("an operator has two operands");
  const run: Run = (frame) => {
    const value = left(frame);
    const other = right(frame);
    frame.charge(cost);
    if (isError(value)) return value;
    if (isError(other)) return other;
    return call(value, other);
  };
  return { run, isAttribute: false };
}

/** `a == b` and `a != b`, with all steps counted. */
export function planEquality({ declaration, overloads }: FunctionReference, args: readonly Plan[]): Plan {
  const isNegated = declaration.name === "_!=_";
  const cost = callCost(declaration.name, overloads);
  const run = runWith(args, cost, (frame, [left = null, right = null]) => {
    const same = equal(left, right, frame);
    return isNegated ? same !== true : same;
  });
  return { run, isAttribute: false };
}

/** A conversion of a constant is made once. */
export function planConversion(reference: FunctionReference, args: readonly Plan[]): Plan {
  const plan = planCall(reference, args);
  const [argument] = args;
  if (args.length !== 1 || argument === undefined || !isConstant(argument)) return plan;
  return constantPlan(invocation(reference.declaration, reference.overloads)([argument.constant]));
}

/** `x in [1, 2]` with a list of constants is looked up without a cost; where there are none, nothing is looked up. */
export function planMembership(reference: FunctionReference, [item, list]: readonly [Plan, Plan]): Plan {
  if (!isConstant(list) || !isList(list.constant) || !isPrimitiveList(list.constant)) return planCall(reference, [item, list]);
  const known = list.constant;
  if (known.size === 0) return constantPlan(false);
  const simple = new Set<Value>(itemsOf(known));
  const run: Run = (frame) => {
    const value = item.run(frame);
    if (isError(value) || simple.has(value)) return isError(value) ? value : true;
    return typeof value !== "string" && Array.from(simple).some((other) => equal(value, other) === true);
  };
  return { run, isAttribute: false };
}

/** `a.or(b)` and `a.orValue(b)`: the second is evaluated only if the first is empty. */
export function planOptionalOr(name: "or" | "orValue", { run: first }: Plan, { run: second }: Plan): Plan {
  const run: Run = (frame) => {
    const value = first(frame);
    if (!(value instanceof Optional)) return value;
    if (value.value === undefined) return second(frame);
    return name === "or" ? value : value.value;
  };
  return { run, isAttribute: false };
}

/** The form for constant arguments, if the function has one. */
function specialized([overload]: readonly Overload[], args: readonly Plan[]): ((values: readonly Value[]) => Value) | undefined {
  const call = overload?.specialize?.(args.map(({ constant }) => constant));
  if (isError(call)) throw new InvalidConstant(call.message);
  return call === undefined ? undefined : (values) => call(...values);
}

/** The arguments are looked at whatever their types are said to be: null stands for values of many types, and the items of `dyn` in a list for those of any. */
function invocation(
  { name, isOperator = false, overloads: all }: FunctionDeclaration,
  resolved: readonly Overload[],
): (args: readonly Value[]) => Value {
  const [only] = resolved;
  if (only !== undefined && isOperator) return (args) => only.call(...args);
  if (only !== undefined && resolved.length === 1) return (args) => (accepts(only, args) ? only.call(...args) : noOverloadFor(name, args));
  return (args) => {
    const overload = all.find((candidate) => accepts(candidate, args));
    return overload === undefined ? noOverloadFor(name, args) : overload.call(...args);
  };
}

/** Evaluates the arguments in order; an error among them is the result. A call of one or two arguments costs what it costs even then. */
function runWith(args: readonly Plan[], cost: CallCost | number, call: (frame: Frame, values: readonly Value[]) => Value): Run {
  const charge =
    typeof cost === "number"
      ? (frame: Frame) => frame.charge(cost)
      : (frame: Frame, values: readonly Value[]) => frame.charge(cost(values, null));
  const [first, second] = args.map(({ run }) => run);
  if (first !== undefined && second === undefined) {
    return (frame) => {
      const values = [first(frame)] as const;
      charge(frame, values);
      return isError(values[0]) ? values[0] : call(frame, values);
    };
  }
  if (first !== undefined && second !== undefined && args.length === 2) {
    return (frame) => {
      const values = [first(frame), second(frame)] as const;
      charge(frame, values);
      if (isError(values[0])) return values[0];
      return isError(values[1]) ? values[1] : call(frame, values);
    };
  }
  return (frame) => {
    const values: Value[] = [];
    for (const { run } of args) {
      const value = run(frame);
      if (isError(value)) return value;
      values.push(value);
    }
    charge(frame, values);
    return call(frame, values);
  };
}

function isPrimitiveList(list: ListValue): boolean {
  return itemsOf(list).every((item) => typeof item !== "object" || (item !== null && "value" in item));
}
