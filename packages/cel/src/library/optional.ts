import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, listType, mapType, optionalType, typeParam } from "../check/type.ts";
import { sizeOf } from "../evaluate/call-cost.ts";
import { goText } from "../value/go-text.ts";
import { itemsOf, listOf } from "../value/list-value.ts";
import { MapBuilder } from "../value/map-value.ts";
import { Double, Duration, ErrorValue, Optional, Timestamp, Uint, isList, isMap, noSuchOverload } from "../value/value.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";

const [k, v] = [typeParam("K"), typeParam("V")];
const optionalV = optionalType(v);
const listOfV = listType(v);
const mapOfKV = mapType(k, v);

/** Optional values; `or` and `orValue` are evaluated by the planner, since their second operand may not have to be. */
export const optional: readonly FunctionDeclaration[] = [
  declare(
    "optional.of",
    overload("optional_of", [v], optionalV, (value) => Optional.of(value)),
  ),
  declare("optional.ofNonZeroValue", overload("optional_ofNonZeroValue", [v], optionalV, ofNonZero)),
  declare(
    "optional.none",
    overload("optional_none", [], optionalV, () => Optional.none),
  ),
  declare(
    "value",
    memberOverload("optional_value", [optionalV], v, ({ value }) => value ?? none(value)),
  ),
  declare(
    "hasValue",
    memberOverload("optional_hasValue", [optionalV], boolType, ({ value }) => value !== undefined),
  ),
  declare(
    "or",
    memberOverload("optional_or_optional", [optionalV, optionalV], optionalV, () => noSuchOverload),
  ),
  declare(
    "orValue",
    memberOverload("optional_orValue_value", [optionalV, v], v, () => noSuchOverload),
  ),
  declare(
    "first",
    memberOverload("list_first", [listOfV], optionalV, (list) => itemAt(list, 0)),
  ),
  declare(
    "last",
    memberOverload("list_last", [listOfV], optionalV, (list) => itemAt(list, list.size - 1)),
  ),
  declare("optional.unwrap", overload("optional_unwrap", [listType(optionalV)], listOfV, unwrap, unwrapCost)),
  declare("unwrapOpt", memberOverload("optional_unwrapOpt", [listType(optionalV)], listOfV, unwrap, unwrapCost)),
  declare(
    "cel.@mapInsert",
    overload("@mapInsert_map_key_value", [mapOfKV, k, v], mapOfKV, (map, key, value) => insert(map, [[key, value]])),
    overload("@mapInsert_map_map", [mapOfKV, mapOfKV], mapOfKV, (map, other) =>
      insert(
        map,
        other.keys().map((key) => [key, other.find(key) ?? null]),
      ),
    ),
  ),
];

/** Upstream it costs one, however long the list is. */
function unwrapCost([list]: readonly Value[]): number {
  return 1 + sizeOf(list);
}

/** Null is a value, too. */
function none(value: null | undefined): Value {
  return value === null ? null : new ErrorValue("optional.none() dereference");
}

function ofNonZero(value: Value): Value {
  return isZero(value) ? Optional.none : Optional.of(value);
}

function isZero(value: Value): boolean {
  if (typeof value !== "object") return value === 0 || value === "" || value === false;
  if (value === null) return true;
  if (value instanceof Uint8Array) return value.length === 0;
  if (isList(value) || isMap(value)) return value.size === 0;
  if (value instanceof Double || value instanceof Uint) return Number(value.value) === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Optional) return value.value === undefined || isZero(value.value);
  return value instanceof Timestamp && value.seconds === -62_135_596_800 && value.nanos === 0;
}

function itemAt(list: ListValue, index: number): Value {
  return list.size === 0 ? Optional.none : Optional.of(list.at(index));
}

function unwrap(list: ListValue): Value {
  const values: Value[] = [];
  for (const item of itemsOf(list)) {
    if (!(item instanceof Optional)) return new ErrorValue(`value ${goText(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return listOf(values);
}

function insert(map: MapValue, entries: readonly (readonly [Value, Value])[]): Value {
  const builder = new MapBuilder();
  for (const key of map.keys()) builder.insert(key, map.find(key) ?? null);
  for (const [key, value] of entries) {
    const failure = builder.insert(key, value);
    if (failure !== undefined) return failure;
  }
  return builder.build();
}
