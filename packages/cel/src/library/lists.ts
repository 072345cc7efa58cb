import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { CallCost, FunctionDeclaration } from "../check/declaration.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  dynType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from "../check/type.ts";
import { sizeOf } from "../evaluate/call-cost.ts";
import { Uncountable } from "../evaluate/frame.ts";
import { equal } from "../value/equality.ts";
import { itemsOf, listOf } from "../value/list-value.ts";
import { compare, isComparable } from "../value/order.ts";
import { ErrorValue, isError, isInt, isList, isMap, kindOf, noOverloadOf, typeNameOf } from "../value/value.ts";
import type { Int, ListValue, Value } from "../value/value.ts";
import { goSort } from "./go-sort.ts";

const t = typeParam("T");
const listOfT = listType(t);
const comparable = [intType, uintType, doubleType, boolType, durationType, timestampType, stringType, bytesType];

const allocation = 11;
const resultCost = (size: number): number => size + allocation;

/** Every item is compared with every other. */
const pairwise = (list: Value | undefined): number => {
  if (isError(list)) throw new Uncountable("*types.Err is not traits.Lister: missing method Add");
  const size = sizeOf(list);
  const first = list !== undefined && isList(list) && size > 0 ? kindOf(list.at(0)) : undefined;
  return Math.trunc(size * size * (first === "string" || first === "bytes" ? 2.1 : 2)) + allocation;
};

const flattenCost: CallCost = ([list, depth = 1]) => {
  if (isError(depth)) throw new Uncountable("ref.Val is *types.Err, not types.Int");
  return unsigned(Math.trunc(sizeOf(list) * (isInt(depth) ? Number(depth) : 1)) + allocation);
};

/** Upstream counts in unsigned numbers, so less than nothing is more than all. */
function unsigned(cost: number): number {
  return cost < 0 ? Infinity : cost;
}

/** The extended functions on lists, version 3. */
export const lists: readonly FunctionDeclaration[] = [
  declare(
    "slice",
    memberOverload("list_slice", [listOfT, intType, intType], listOfT, slice, ([list, start, end]) =>
      resultCost(sliceSize(list, start, end)),
    ),
  ),
  {
    name: "flatten",
    isOperator: true,
    overloads: [
      memberOverload("list_flatten", [listType(listOfT)], listOfT, flatten, flattenCost),
      memberOverload("list_flatten_int", [listType(dynType), intType], listType(dynType), flatten, flattenCost),
    ],
  },
  {
    name: "sort",
    isOperator: true,
    overloads: comparable.map((type) =>
      memberOverload(
        `list_${type.name}_sort`,
        [listType(type)],
        listType(type),
        (list) => (isList(list) ? sortBy(list, list) : noSort(list)),
        ([list]) => pairwise(list),
      ),
    ),
  },
  {
    name: "@sortByAssociatedKeys",
    isOperator: true,
    overloads: comparable.map((type) =>
      memberOverload(
        `list_${type.name}_sortByAssociatedKeys`,
        [listOfT, listType(type)],
        listOfT,
        (list, keys) => (isList(list) ? sortBy(list, keys) : noSortBy(list)),
        ([, keys]) => pairwise(keys),
      ),
    ),
  },
  declare(
    "lists.range",
    overload("lists_range", [intType], listType(intType), range, ([count]) =>
      resultCost(count !== undefined && isInt(count) ? Math.max(0, Number(count)) : 1),
    ),
  ),
  declare(
    "reverse",
    memberOverload(
      "list_reverse",
      [listOfT],
      listOfT,
      (list) => listOf(itemsOf(list).toReversed()),
      ([list]) => resultCost(sizeOf(list)),
    ),
  ),
  declare(
    "distinct",
    memberOverload("list_distinct", [listOfT], listOfT, distinct, ([list]) => pairwise(list)),
  ),
];

/** An error counts as one item. */
function sliceSize(list: Value | undefined, start: Value | undefined, end: Value | undefined): number {
  const [first, last] = [Number(start), Number(end)];
  return first >= 0 && first <= last && last <= sizeOf(list) ? last - first : 1;
}

const noSort = noOverloadOf("sort");
const noSortBy = noOverloadOf("@sortByAssociatedKeys");

function slice(list: ListValue, start: Int, end: Int): Value {
  const head = `cannot slice(${start}, ${end}),`;
  if (start < 0 || end < 0) return new ErrorValue(`${head} negative indexes not supported`);
  if (start > end) return new ErrorValue(`${head} start index must be less than or equal to end index`);
  if (list.size < end) return new ErrorValue(`${head} list is length ${list.size}`);
  return listOf(itemsOf(list).slice(Number(start), Number(end)));
}

/** Of a list that has no lists in it nothing is said: its items are its own. */
function flatten(list: Value, depth?: Value): Value {
  const level = depth ?? 1;
  if (!isList(list) || !isInt(level)) {
    const given = depth === undefined ? "" : typeTextOf(depth);
    return new ErrorValue(`no such overload: ${typeTextOf(list)}.flatten(${given})`);
  }
  return level < 0 ? new ErrorValue("level must be non-negative") : listOf(flattened(list, Number(level)));
}

function typeTextOf(value: Value): string {
  if (isList(value)) return "list(dyn)";
  return isMap(value) ? "map(dyn, dyn)" : typeNameOf(value);
}

function flattened(list: ListValue, depth: number): Value[] {
  return itemsOf(list).flatMap((item) => (isList(item) && depth > 0 ? flattened(item, depth - 1) : [item]));
}

function sortBy(list: ListValue, keys: ListValue): Value {
  const [items, keyed] = [itemsOf(list), itemsOf(keys)];
  const [first] = keyed;
  if (first === undefined) return list;
  if (!isComparable(first)) return new ErrorValue("list elements must be comparable");
  if (keyed.some((key) => kindOf(key) !== kindOf(first))) return new ErrorValue("list elements must have the same type");
  const positions = keyed.map((_, index) => index);
  const at = (index: number): number => positions[index] ?? 0;
  goSort(
    {
      less: (index, other) => {
        const order = compare(keyed[at(index)] ?? null, keyed[at(other)] ?? null);
        return typeof order === "number" && order < 0;
      },
      swap: (index, other) => {
        [positions[index], positions[other]] = [at(other), at(index)];
      },
    },
    positions.length,
  );
  return listOf(positions.map((index) => items[index] ?? null));
}

function range(count: Int): Value {
  return listOf(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => index));
}

function distinct(list: ListValue): Value {
  const found: Value[] = [];
  for (const item of itemsOf(list)) if (!found.some((other) => equal(item, other) === true)) found.push(item);
  return listOf(found);
}
