import { goText } from "../value/go-text.ts";
import { Double, ErrorValue, Optional, Uint, isError, isInt, isList, isMap, typeNameOf } from "../value/value.ts";
import type { Int, ListValue, Value } from "../value/value.ts";
import type { Frame } from "./frame.ts";
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

/** `a.b`, or of an optional the field if there is one. */
export function planSelect(operand: Plan, field: string): Plan {
  const { run } = operand;
  const missing = new ErrorValue(`no such key: ${field}`);
  return attribute((frame) => {
    const value = run(frame);
    frame.charge(1);
    if (value instanceof Optional) return qualifyOptional(value, field);
    if (isError(value)) return value;
    const found = isMap(value) ? value.find(field) : undefined;
    return found === undefined ? missing : found;
  });
}

/** `has(a.b)`. */
export function planPresence({ run }: Plan, field: string): Plan {
  const test = (value: Value): Value => {
    if (value instanceof Optional) return value.value !== undefined && test(value.value);
    if (isError(value)) return value;
    const found = isMap(value) ? value.find(field) : undefined;
    return isError(found) ? found : found !== undefined;
  };
  return attribute((frame) => test(run(frame)));
}

/** `a[b]`, or of an optional the item if there is one. */
export function planIndex(operand: Plan, index: Plan): Plan {
  const own = index.isAttribute ? 0 : 1;
  return attribute((frame) => {
    const value = operand.run(frame);
    const key = index.run(frame);
    frame.charge(own);
    if (isError(value)) return value;
    if (isError(key)) return key;
    if (value instanceof Optional) return qualifyOptional(value, key);
    const found = qualify(value, key);
    return found === undefined ? missingItem(value, key) : found;
  });
}

/** `a.?b` and `a[?b]`: an optional, empty where there is nothing. */
export function planOptionalIndex(operand: Plan, index: Plan): Plan {
  const own = index.isAttribute ? 0 : 1;
  return attribute((frame) => {
    const value = operand.run(frame);
    const key = index.run(frame);
    frame.charge(own);
    if (isError(value)) return value;
    if (isError(key)) return key;
    return qualifyOptional(value instanceof Optional ? value : Optional.of(value), key);
  });
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
