import { goTypeOf } from "../value/go-type.ts";
import { goText } from "../value/go-text.ts";
import { Double, ErrorValue, Optional, Uint, isError, isInt, isList, isMap, typeNameOf } from "../value/value.ts";
import type { Int, ListValue, Value } from "../value/value.ts";
import type { Frame } from "./frame.ts";
import { InvalidConstant } from "./plan.ts";
import type { Plan, Run } from "./plan.ts";

/** A variable. */
export function planVariable(slot: number, name: string): Plan {
  const absent = new ErrorValue(`no such attribute(s): ${name}`);
  const run = (frame: Frame): Value => {
    frame.charge(1);
    const value = frame.slots[slot];
    return value === undefined ? absent : value;
  };
  return { run, isAttribute: true };
}

/** `a.b`, or of an optional the field if there is one. Where there is no `a`, nothing more is looked at. */
export function planSelect(operand: Plan, field: string): Plan {
  const { run } = operand;
  const own = stepCost(operand);
  const missing = new ErrorValue(`no such key: ${field}`);
  return attribute((frame) => {
    const value = run(frame);
    if (isError(value)) return failed(frame, value, own);
    frame.charge(own + 1);
    if (value instanceof Optional) return qualifyOptional(value, field);
    const found = isMap(value) ? value.find(field) : undefined;
    return found === undefined ? missing : found;
  });
}

/** `has(a.b)`. */
export function planPresence(operand: Plan, field: string): Plan {
  const { run } = operand;
  const own = stepCost(operand);
  const test = (value: Value): Value => {
    if (value instanceof Optional) return value.value !== undefined && test(value.value);
    const found = isMap(value) ? value.find(field) : undefined;
    return isError(found) ? found : found !== undefined;
  };
  return attribute((frame) => {
    const value = run(frame);
    // The test itself is free, also of what it does not come to.
    if (isError(value)) return failed(frame, value, own - 1);
    frame.charge(own);
    return test(value);
  });
}

/** `a[b]`, or of an optional the item if there is one. */
export function planIndex(operand: Plan, index: Plan): Plan {
  const own = stepCost(operand);
  const ofKey = stepCost(index);
  requireKey(index.constant);
  return attribute((frame) => {
    const value = operand.run(frame);
    if (isError(value)) return failed(frame, value, own);
    const key = index.run(frame);
    frame.charge(own + ofKey);
    if (isError(key)) return key;
    if (!isKey(key)) return invalidKey(key);
    if (value instanceof Optional) return qualifyOptional(value, key);
    const found = qualify(value, key);
    return found === undefined ? missingItem(value, key) : found;
  });
}

/** `a.?b` and `a[?b]`: an optional, empty where there is nothing. */
export function planOptionalIndex(operand: Plan, index: Plan): Plan {
  const own = stepCost(operand);
  const ofPresent = stepCost(index);
  requireKey(index.constant);
  return attribute((frame) => {
    const value = operand.run(frame);
    if (isError(value)) return failed(frame, value, own);
    const key = index.run(frame);
    frame.charge(own);
    if (isError(key)) return key;
    if (!isKey(key)) return invalidKey(key);
    const found = qualifyOptional(value instanceof Optional ? value : Optional.of(value), key);
    if (found !== Optional.none) frame.charge(ofPresent);
    return found;
  });
}

function failed(frame: Frame, error: ErrorValue, cost: number): ErrorValue {
  frame.charge(cost);
  return error;
}

/** Upstream counts a step from what is no variable, field or item itself. */
function stepCost({ isAttribute }: Plan): number {
  return isAttribute ? 0 : 1;
}

/** Whether there may be something under a key. */
function isKey(key: Value): boolean {
  return typeof key !== "object" || key instanceof Double || key instanceof Uint;
}

function invalidKey(key: Value): ErrorValue {
  return new ErrorValue(`invalid qualifier type: ${goTypeOf(key)}`);
}

function requireKey(constant: Value | undefined): void {
  if (constant !== undefined && !isKey(constant)) throw new InvalidConstant(invalidKey(constant).message);
}

function attribute(run: Run): Plan {
  return { run, isAttribute: true };
}

function qualifyOptional({ value }: Optional, key: Value): Value {
  if (value === undefined) return Optional.none;
  const found = qualify(value, key);
  if (found === undefined) return Optional.none;
  return isError(found) ? found : Optional.of(found);
}

/** The field or item; undefined where there is none. */
function qualify(value: Value, key: Value): Value | undefined {
  if (isMap(value)) return value.find(key);
  return isList(value) ? itemAt(value, key) : undefined;
}

function itemAt(list: ListValue, key: Value): Value | undefined {
  const index = indexOf(key);
  if (isError(index)) return index;
  return index >= 0 && index < list.size ? list.at(Number(index)) : undefined;
}

function indexOf(key: Value): Int | ErrorValue {
  if (isInt(key)) return key;
  if (!(key instanceof Double || key instanceof Uint)) return new ErrorValue(`unsupported index type '${typeNameOf(key)}' in list`);
  const { value } = key;
  const isWhole = typeof value === "bigint" ? value < 2n ** 63n : Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  return isWhole ? value : new ErrorValue(`unsupported index value ${goText(key)} in list`);
}

function missingItem(value: Value, key: Value): ErrorValue {
  return new ErrorValue(`${isList(value) ? "index out of bounds" : "no such key"}: ${goText(key)}`);
}
