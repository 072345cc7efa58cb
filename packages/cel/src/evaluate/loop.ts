import { goTypeOf } from "../value/go-type.ts";
import { listOf } from "../value/list-value.ts";
import { MapBuilder } from "../value/map-value.ts";
import { ErrorValue, isError, isList, isMap } from "../value/value.ts";
import type { Value } from "../value/value.ts";
import type { Frame } from "./frame.ts";
import { failure } from "./logic.ts";
import { isConstant } from "./plan.ts";
import type { Plan, Run } from "./plan.ts";

/** What a loop goes over, and the slots of its variables. */
export interface LoopRange {
  readonly range: Run;
  readonly slot: number;
  /** Given when there are two variables: index and item, or key and value. */
  readonly secondSlot: number | undefined;
}

// What the steps cost follows from what the macros expand to in cel-go: each use of the accumulator is one, each call of a function one,
// and a list literal ten.

/** `list.all(x, predicate)`: false if it is for any, even when it is an error for others. */
export function planAll(range: LoopRange, predicate: Run): Plan {
  return quantifierPlan(range, predicate, { decisive: false, conditionCost: 2 });
}

/** `list.exists(x, predicate)`: true if it is for any, even when it is an error for others. */
export function planExists(range: LoopRange, predicate: Run): Plan {
  return quantifierPlan(range, predicate, { decisive: true, conditionCost: 3 });
}

function quantifierPlan(
  range: LoopRange,
  predicate: Run,
  { decisive, conditionCost }: { readonly decisive: boolean; readonly conditionCost: number },
): Plan {
  return loopPlan((frame) => {
    let result: Value = !decisive;
    const stopped = forEach(range, frame, () => {
      frame.charge(conditionCost);
      if (result === decisive) return false;
      frame.charge(1);
      const value = predicate(frame);
      if (value === decisive) result = decisive;
      else if (value !== !decisive && !isError(result)) result = failure(value);
      return true;
    });
    if (isError(stopped)) return stopped;
    frame.charge(1);
    return result;
  });
}

/** `list.exists_one(x, predicate)`. */
export function planExistsOne(range: LoopRange, predicate: Run): Plan {
  return loopPlan((frame) => {
    let count = 0;
    const failed = forEach(range, frame, () => {
      const value = predicate(frame);
      if (typeof value !== "boolean") return failure(value);
      if (value) {
        frame.charge(2);
        count++;
      }
      return true;
    });
    if (isError(failed)) return failed;
    frame.charge(2);
    return count === 1;
  });
}

/** `list.map(x, item)`, `list.filter(x, filter)` and the like. */
export function planCollect(range: LoopRange, filter: Run | undefined, item: Plan): Plan {
  // A list of a constant is made once.
  const cost = isConstant(item) ? 2 : 12;
  return loopPlan((frame) => {
    const items: Value[] = [];
    const failed = forEach(range, frame, () => {
      const wanted = filter === undefined || filter(frame);
      if (typeof wanted !== "boolean") return failure(wanted);
      if (!wanted) return true;
      frame.charge(cost);
      const value = item.run(frame);
      if (isError(value)) return value;
      items.push(value);
      return true;
    });
    if (isError(failed)) return failed;
    frame.charge(1);
    return listOf(items);
  });
}

/** `map.transformMap(k, v, value)` and `map.transformMapEntry(k, v, entries)`. */
export function planCollectMap(
  range: LoopRange,
  filter: Run | undefined,
  entries: (frame: Frame) => readonly (readonly [Value, Value])[] | ErrorValue,
): Plan {
  return loopPlan((frame) => {
    const map = new MapBuilder();
    const failed = forEach(range, frame, () => {
      const wanted = filter === undefined || filter(frame);
      if (typeof wanted !== "boolean") return failure(wanted);
      if (!wanted) return true;
      frame.charge(2);
      const added = entries(frame);
      if (added instanceof ErrorValue) return added;
      for (const [key, value] of added) {
        const failure = map.insert(key, value);
        if (failure !== undefined) return failure;
      }
      return true;
    });
    if (isError(failed)) return failed;
    frame.charge(1);
    return map.build();
  });
}

/** A name for a value. */
export function planBind(slot: number, value: Run, result: Run): Plan {
  return loopPlan((frame) => {
    frame.slots[slot] = value(frame);
    return result(frame);
  });
}

function loopPlan(run: Run): Plan {
  return { run, isAttribute: false };
}

/** Sets the variables for each item and makes a step, until one is false or an error, which is the result then. */
function forEach({ range, slot, secondSlot }: LoopRange, frame: Frame, step: () => boolean | ErrorValue): boolean | ErrorValue {
  const value = range(frame);
  if (isError(value)) return value;
  const { slots } = frame;
  if (isList(value)) {
    for (let index = 0; index < value.size; index++) {
      slots[secondSlot ?? slot] = value.at(index);
      if (secondSlot !== undefined) slots[slot] = index;
      const result = step();
      if (result !== true) return result;
    }
    return true;
  }
  if (!isMap(value)) return notIterable(value, secondSlot !== undefined);
  for (const key of value.keys()) {
    slots[slot] = key;
    if (secondSlot !== undefined) slots[secondSlot] = value.find(key) ?? null;
    const result = step();
    if (result !== true) return result;
  }
  return true;
}

function notIterable(value: Value, hasTwoVariables: boolean): ErrorValue {
  const type = goTypeOf(value);
  return new ErrorValue(hasTwoVariables ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`);
}
