import { declare, overload } from "../check/declaration.ts";
import type { CallCost, FunctionDeclaration } from "../check/declaration.ts";
import { boolType, listType, typeParam } from "../check/type.ts";
import { sizeOf } from "../evaluate/call-cost.ts";
import { contains } from "../value/equality.ts";
import { itemsOf } from "../value/list-value.ts";
import type { ListValue, Value } from "../value/value.ts";

const list = listType(typeParam("T"));

/** Lists taken as sets. */
export const sets: readonly FunctionDeclaration[] = [
  declare("sets.contains", overload("list_sets_contains_list", [list, list], boolType, containsAll, pairCost(1))),
  declare("sets.equivalent", overload("list_sets_equivalent_list", [list, list], boolType, isEquivalent, pairCost(2))),
  declare("sets.intersects", overload("list_sets_intersects_list", [list, list], boolType, intersects, pairCost(1))),
];

function pairCost(factor: number): CallCost {
  return ([left, right]) => 1 + sizeOf(left) * sizeOf(right) * factor;
}

function containsAll(whole: ListValue, part: ListValue): Value {
  for (const item of itemsOf(part)) {
    const found = contains(whole, item);
    if (found !== true) return found;
  }
  return true;
}

function isEquivalent(left: ListValue, right: ListValue): Value {
  const found = containsAll(left, right);
  return found === true ? containsAll(right, left) : found;
}

function intersects(left: ListValue, right: ListValue): Value {
  return itemsOf(left).some((item) => contains(right, item) === true);
}
