import { isError, noSuchOverload } from "../value/value.ts";
import type { ErrorValue, Value } from "../value/value.ts";
import type { Plan } from "./plan.ts";

/** `a && b`: false if either is, even when the other is an error. */
export function planAnd(left: Plan, right: Plan): Plan {
  const [first, second] = [left.run, right.run];
  const run: Plan["run"] = (frame) => {
    const value = first(frame);
    if (value === false) return false;
    const other = second(frame);
    if (other === false) return false;
    if (value !== true) return failure(value);
    return other === true ? true : failure(other);
  };
  return { run, isAttribute: false };
}

/** `a || b`: true if either is, even when the other is an error. */
export function planOr(left: Plan, right: Plan): Plan {
  const [first, second] = [left.run, right.run];
  const run: Plan["run"] = (frame) => {
    const value = first(frame);
    if (value === true) return true;
    const other = second(frame);
    if (other === true) return true;
    if (value !== false) return failure(value);
    return other === false ? false : failure(other);
  };
  return { run, isAttribute: false };
}

/** `a ? b : c`. A branch that is a variable or field is one step cheaper than elsewhere. */
export function planConditional(condition: Plan, truthy: Plan, falsy: Plan): Plan {
  const test = condition.run;
  const [then, otherwise] = [truthy.run, falsy.run];
  const discounts = [truthy, falsy].map(({ isAttribute, isChoice = false }) => (isAttribute && !isChoice ? -1 : 0));
  const [thenDiscount = 0, otherwiseDiscount = 0] = discounts;
  const run: Plan["run"] = (frame) => {
    const value = test(frame);
    if (value === true) {
      frame.charge(thenDiscount);
      return then(frame);
    }
    if (value !== false) return failure(value);
    frame.charge(otherwiseDiscount);
    return otherwise(frame);
  };
  return { run, isAttribute: true, isChoice: true };
}

/** What is wrong with a value that should be a bool. */
export function failure(value: Value): ErrorValue {
  return isError(value) ? value : noSuchOverload;
}
