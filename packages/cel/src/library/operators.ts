import { operator } from "../check/declaration.ts";
import type { FunctionDeclaration, Implementation } from "../check/declaration.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { CostExceeded } from "../evaluate/frame.ts";
import { contains, equal } from "../value/equality.ts";
import {
  addInt,
  divideInt,
  divideUint,
  moduloInt,
  moduloUint,
  multiplyInt,
  negateInt,
  subtractInt,
  uintOf,
} from "../value/int-arithmetic.ts";
import { concatLists } from "../value/list-value.ts";
import { compare } from "../value/order.ts";
import { addDuration, addDurations, subtractTimestamp } from "../value/timestamp.ts";
import {
  Double,
  Duration,
  ErrorValue,
  Timestamp,
  Uint,
  isError,
  isInt,
  isList,
  isMap,
  kindOf,
  noOverloadOf,
  noSuchOverload,
} from "../value/value.ts";
import type { Kind, ListValue, Value } from "../value/value.ts";

const [a, b] = [typeParam("A"), typeParam("B")];
const listOfA = listType(a);
const mapOfAB = mapType(a, b);

type Signature = readonly [id: string, parameters: readonly Type[], result: Type];

function same(name: string, types: Readonly<Record<string, Type>>): Signature[] {
  return Object.entries(types).map(([suffix, type]) => [`${name}_${suffix}`, [type, type], type]);
}

const numbers = { double: doubleType, int64: intType, uint64: uintType };
const comparable: readonly (readonly [string, Type, Type])[] = [
  ["bool", boolType, boolType],
  ["int64", intType, intType],
  ["int64_double", intType, doubleType],
  ["int64_uint64", intType, uintType],
  ["uint64", uintType, uintType],
  ["uint64_double", uintType, doubleType],
  ["uint64_int64", uintType, intType],
  ["double", doubleType, doubleType],
  ["double_int64", doubleType, intType],
  ["double_uint64", doubleType, uintType],
  ["string", stringType, stringType],
  ["bytes", bytesType, bytesType],
  ["timestamp", timestampType, timestampType],
  ["duration", durationType, durationType],
];

const numeric: readonly Kind[] = ["double", "int", "uint"];
const ordered: readonly Kind[] = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

/** The operators of the language. Logic and indexes are evaluated by the planner itself, so they have types only. */
export const operators: readonly FunctionDeclaration[] = [
  operator("_?_:_", [["conditional", [boolType, a, a], a]], () => noSuchOverload),
  operator("_&&_", [["logical_and", [boolType, boolType], boolType]], () => noSuchOverload),
  operator("_||_", [["logical_or", [boolType, boolType], boolType]], () => noSuchOverload),
  operator("!_", [["logical_not", [boolType], boolType]], (value = null) => (typeof value === "boolean" ? !value : noSuchOverload)),
  operator("@not_strictly_false", [["not_strictly_false", [boolType], boolType]], (value = null) => value !== false),
  operator("_==_", [["equals", [a, a], boolType]], (left = null, right = null) => equal(left, right)),
  operator("_!=_", [["not_equals", [a, a], boolType]], (left = null, right = null) => equal(left, right) !== true),
  operatorOn(
    ["bytes", "double", "duration", "int", "list", "string", "timestamp", "uint"],
    "_+_",
    [
      ...same("add", { bytes: bytesType, duration_duration: durationType, string: stringType, list: listOfA, ...numbers }),
      ["add_duration_timestamp", [durationType, timestampType], timestampType],
      ["add_timestamp_duration", [timestampType, durationType], timestampType],
    ],
    add,
  ),
  operatorOn(
    ["double", "duration", "int", "timestamp", "uint"],
    "_-_",
    [
      ...same("subtract", { duration_duration: durationType, ...numbers }),
      ["subtract_timestamp_duration", [timestampType, durationType], timestampType],
      ["subtract_timestamp_timestamp", [timestampType, timestampType], durationType],
    ],
    subtract,
  ),
  operatorOn(numeric, "_*_", same("multiply", numbers), multiply),
  operatorOn(numeric, "_/_", same("divide", numbers), divide),
  operatorOn(["int", "uint"], "_%_", same("modulo", { int64: intType, uint64: uintType }), modulo),
  operatorOn(
    ["bool", "double", "duration", "int"],
    "-_",
    [
      ["negate_double", [doubleType], doubleType],
      ["negate_int64", [intType], intType],
    ],
    negate,
  ),
  comparison("_<_", "less", (order) => order < 0),
  comparison("_<=_", "less_equals", (order) => order <= 0),
  comparison("_>_", "greater", (order) => order > 0),
  comparison("_>=_", "greater_equals", (order) => order >= 0),
  operator(
    "_[_]",
    [
      ["index_list", [listOfA, intType], a],
      ["index_map", [mapOfAB, a], b],
      ["optional_list_index_int", [optionalType(listOfA), intType], optionalType(a)],
      ["optional_map_index_value", [optionalType(mapOfAB), a], optionalType(b)],
    ],
    () => noSuchOverload,
  ),
  operator("_?._", [["select_optional_field", [a, stringType], optionalType(b)]], () => noSuchOverload),
  operator(
    "_[?_]",
    [
      ["list_optindex_optional_int", [listOfA, intType], optionalType(a)],
      ["optional_list_optindex_optional_int", [optionalType(listOfA), intType], optionalType(a)],
      ["map_optindex_optional_value", [mapOfAB, a], optionalType(b)],
      ["optional_map_optindex_optional_value", [optionalType(mapOfAB), a], optionalType(b)],
    ],
    () => noSuchOverload,
  ),
  operator(
    "@in",
    [
      ["in_list", [a, listOfA], boolType],
      ["in_map", [a, mapOfAB], boolType],
    ],
    isIn,
  ),
];

/** An operator that values of some kinds have on their left; the error for any other names the operator, unless values of that kind have methods. */
function operatorOn(kinds: readonly Kind[], name: string, types: readonly Signature[], call: Implementation): FunctionDeclaration {
  const missing = noOverloadOf(name);
  return operator(name, types, (left = null, right = null) => {
    const result = call(left, right);
    return result === noSuchOverload && !kinds.includes(kindOf(left)) ? missing(left) : result;
  });
}

function comparison(name: string, prefix: string, holds: (order: number) => boolean): FunctionDeclaration {
  const types = comparable.map(([suffix, left, right]): Signature => [`${prefix}_${suffix}`, [left, right], boolType]);
  return operatorOn(ordered, name, types, (left = null, right = null) => {
    const order = compare(left, right);
    return typeof order === "number" ? holds(order) : order;
  });
}

function add(left: Value = null, right: Value = null): Value {
  if (isInt(left) && isInt(right)) return addInt(left, right);
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (left instanceof Double && right instanceof Double) return new Double(left.value + right.value);
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value + right.value);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.concat([left, right]);
  if (isList(left) && isList(right)) return concatenated(left, right);
  return addTimes(left, right);
}

function addTimes(left: Value, right: Value): Value {
  if (left instanceof Duration && right instanceof Duration) return addDurations(left.nanos, right.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return addDuration(left, right.nanos);
  if (left instanceof Duration && right instanceof Timestamp) return addDuration(right, left.nanos);
  return noSuchOverload;
}

/** Longer than any list that the cost limit allows to be visited. */
const longestList = 2 ** 20;

function concatenated(left: ListValue, right: ListValue): ListValue {
  if (left.size + right.size > longestList) throw new CostExceeded();
  return concatLists(left, right);
}

function subtract(left: Value = null, right: Value = null): Value {
  if (isInt(left) && isInt(right)) return subtractInt(left, right);
  if (left instanceof Double && right instanceof Double) return new Double(left.value - right.value);
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value - right.value);
  if (left instanceof Duration && right instanceof Duration) return addDurations(left.nanos, -right.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return addDuration(left, -right.nanos);
  if (left instanceof Timestamp && right instanceof Timestamp) return subtractTimestamp(left, right);
  return noSuchOverload;
}

function multiply(left: Value = null, right: Value = null): Value {
  if (isInt(left) && isInt(right)) return multiplyInt(left, right);
  if (left instanceof Double && right instanceof Double) return new Double(left.value * right.value);
  return left instanceof Uint && right instanceof Uint ? uintOf(left.value * right.value) : noSuchOverload;
}

function divide(left: Value = null, right: Value = null): Value {
  if (isInt(left) && isInt(right)) return divideInt(left, right);
  if (left instanceof Double && right instanceof Double) return new Double(left.value / right.value);
  return left instanceof Uint && right instanceof Uint ? divideUint(left, right) : noSuchOverload;
}

function modulo(left: Value = null, right: Value = null): Value {
  if (isInt(left) && isInt(right)) return moduloInt(left, right);
  return left instanceof Uint && right instanceof Uint ? moduloUint(left, right) : noSuchOverload;
}

function negate(value: Value = null): Value {
  if (isInt(value)) return negateInt(value);
  if (value instanceof Duration) return addDurations(0n, -value.nanos);
  return value instanceof Double ? new Double(-value.value) : noSuchOverload;
}

function isIn(item: Value = null, container: Value = null): Value {
  if (isList(container)) return contains(container, item);
  if (!isMap(container)) return new ErrorValue("no such overload");
  const found = container.find(item);
  return isError(found) ? found : found !== undefined;
}
