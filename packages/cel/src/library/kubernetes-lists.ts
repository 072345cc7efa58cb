import { declare, memberOverload } from "../check/declaration.ts";
import type { FunctionDeclaration, Implementation } from "../check/declaration.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from "../check/type.ts";
import { equal } from "../value/equality.ts";
import { itemsOf } from "../value/list-value.ts";
import { compare, isComparable } from "../value/order.ts";
import { Double, Duration, ErrorValue, Uint, isError, noSuchOverload } from "../value/value.ts";
import type { ListValue, Value } from "../value/value.ts";
import { operators } from "./operators.ts";

const a = typeParam("A");

const comparable = {
  int: intType,
  uint: uintType,
  double: doubleType,
  bool: boolType,
  duration: durationType,
  timestamp: timestampType,
  string: stringType,
  bytes: bytesType,
};

const summable = [
  ["int", intType, 0],
  ["uint", uintType, new Uint(0n)],
  ["double", doubleType, new Double(0)],
  ["duration", durationType, new Duration(0n)],
] as const;

/** Kubernetes' functions on lists. */
export const kubernetesLists: readonly FunctionDeclaration[] = [
  declare(
    "isSorted",
    ...Object.entries(comparable).map(([name, type]) =>
      memberOverload(`list_${name}_is_sorted_bool`, [listType(type)], boolType, isSorted),
    ),
  ),
  declare(
    "sum",
    ...summable.map(([name, type, zero]) => memberOverload(`list_${name}_sum_${name}`, [listType(type)], type, (list) => sum(list, zero))),
  ),
  declare("max", ...extremes("max", (order) => order < 0)),
  declare("min", ...extremes("min", (order) => order > 0)),
  declare("indexOf", memberOverload("list_a_index_of_int", [listType(a), a], intType, indexOf)),
  declare("lastIndexOf", memberOverload("list_a_last_index_of_int", [listType(a), a], intType, lastIndexOf)),
];

function extremes(name: "max" | "min", isBetter: (order: number) => boolean): FunctionDeclaration["overloads"] {
  return Object.entries(comparable).map(([typeName, type]) =>
    memberOverload(`list_${typeName}_${name}_${typeName}`, [listType(type)], type, (list) => extreme(list, name, isBetter)),
  );
}

function isSorted(list: ListValue): Value {
  let before: Value | undefined;
  for (const item of itemsOf(list)) {
    if (!isComparable(item)) return noSuchOverload;
    const order = before === undefined ? 0 : compare(before, item);
    if (typeof order === "number" && order > 0) return false;
    before = item;
  }
  return true;
}

const add: Implementation = operators.find(({ name }) => name === "_+_")?.overloads[0]?.call ?? (() => noSuchOverload);

function sum(list: ListValue, zero: Value): Value {
  let total = zero;
  for (const item of itemsOf(list)) {
    total = add(total, item);
    if (isError(total)) return total;
  }
  return total;
}

function extreme(list: ListValue, name: string, isBetter: (order: number) => boolean): Value {
  let best: Value | undefined;
  for (const item of itemsOf(list)) {
    if (!isComparable(item)) return noSuchOverload;
    const order = best === undefined ? undefined : compare(best, item);
    if (order === undefined || (typeof order === "number" && isBetter(order))) best = item;
  }
  return best ?? new ErrorValue(`${name} called on empty list`);
}

function indexOf(list: ListValue, item: Value): Value {
  return itemsOf(list).findIndex((other) => equal(other, item) === true);
}

function lastIndexOf(list: ListValue, item: Value): Value {
  return itemsOf(list).findLastIndex((other) => equal(other, item) === true);
}
