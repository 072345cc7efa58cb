import { itemsOf } from "./list-value.ts";
import { Double, Uint, isError, isInt, isList, isMap, kindOf, noSuchOverload } from "./value.ts";
import type { ErrorValue, Int, ListValue, MapValue, Meter, OpaqueValue, TypeValue, Value } from "./value.ts";

/** Whether two values are equal. Numbers of different types are equal when they are the same amount; other types never are. */
export function equal(left: Value, right: Value, meter: Meter = unmetered): boolean | ErrorValue {
  if (left === null || right === null) return left === right;
  // Not even the same object equals itself in any case: NaN does not, nor does a list with two items of one key.
  if (typeof left !== "object" && typeof right !== "object") return left === right;
  const amounts = amountsOf(left, right);
  // JavaScript compares a bigint with a number by their amounts, exactly.
  if (amounts !== undefined) return amounts[0] == amounts[1];
  const kind = kindOf(left);
  if (kind !== kindOf(right)) return kind === "opaque" || isObjectOfSchema(left) ? noSuchOverload : false;
  return sameKindEqual(left, right, meter);
}

/** The amounts of two numbers of any types; where one is a double, the other is as exact as a double can be. Undefined for what is no number. */
export function amountsOf(left: Value, right: Value): readonly [Int, Int] | undefined {
  const [amount, other] = [amountOf(left), amountOf(right)];
  if (amount === undefined || other === undefined) return undefined;
  return left instanceof Double || right instanceof Double ? [Number(amount), Number(other)] : [amount, other];
}

function amountOf(value: Value): Int | undefined {
  if (isInt(value)) return value;
  return value instanceof Double || value instanceof Uint ? value.value : undefined;
}

function isObjectOfSchema(value: Value): boolean {
  return (isMap(value) || isList(value)) && value.equals !== undefined;
}

/** Both are objects of one kind. */
function sameKindEqual(left: Value, right: Value, meter: Meter): boolean | ErrorValue {
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (isList(left)) return isList(right) && listsEqual(left, right, meter);
  if (isMap(left)) return isMap(right) && mapsEqual(left, right, meter);
  if (typeof left !== "object" || left === null) return false;
  switch (left.kind) {
    case "timestamp":
      return sameFields(left, right, ["seconds", "nanos"]);
    case "duration":
      return sameFields(left, right, ["nanos"]);
    case "type":
      return left.name === (right as TypeValue).name;
    case "opaque":
      return left.typeName === (right as OpaqueValue).typeName ? left.equals(right as OpaqueValue) : noSuchOverload;
    case "optional": {
      const [value, other] = [left.value, (right as typeof left).value];
      return value === undefined || other === undefined ? value === other : equal(value, other, meter);
    }
    case "error":
    case "double":
    case "uint":
      return false;
    default:
      return left satisfies never;
  }
}

function sameFields<T extends object>(left: T, right: Value, fields: readonly (keyof T)[]): boolean {
  const other = right as T;
  return fields.every((field) => left[field] === other[field]);
}

function listsEqual(left: ListValue, right: ListValue, meter: Meter): boolean | ErrorValue {
  if (left.equals !== undefined) return left.equals(right, meter);
  if (left.size !== right.size) return false;
  meter.step(left.size);
  for (const [index, item] of itemsOf(left).entries()) {
    if (equal(item, right.at(index), meter) === false) return false;
  }
  return true;
}

function mapsEqual(left: MapValue, right: MapValue, meter: Meter): boolean | ErrorValue {
  if (left.equals !== undefined) return left.equals(right, meter);
  if (left.size !== right.size) return false;
  meter.step(left.size);
  for (const key of left.keys()) {
    const other = right.find(key);
    if (other === undefined) return false;
    const same = equal(left.find(key) ?? null, other, meter);
    if (same !== true) return same;
  }
  return true;
}

/** Whether a list has an item; an error only when none is equal and a comparison failed. */
export function contains(list: ListValue, value: Value): boolean | ErrorValue {
  let failure: ErrorValue | undefined;
  for (let index = 0; index < list.size; index++) {
    const same = equal(list.at(index), value);
    if (same === true) return true;
    if (isError(same)) failure ??= same;
  }
  return failure ?? false;
}

const unmetered: Meter = { step: () => {} };
