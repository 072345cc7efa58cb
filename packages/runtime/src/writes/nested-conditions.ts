import { conditionsOf, findCondition, isJsonArray, isJsonObject, jsonOf, setCondition, structuralEqual } from "@kaji/core";
import type { Clock, Condition, JsonObject, JsonValue } from "@kaji/core";
import type { StructuralSchema } from "@kaji/core/define";

/** What conditions are completed with. */
export interface ConditionBasis {
  /** Of the object that was looked at. */
  readonly generation: number | undefined;
  readonly clock: Clock;
}

/**
 * Stated fields with the conditions inside of them completed: with their times, which move with their status only, and with the generation where they have a place for it.
 *
 * What is compared with is the item of a list that has the same keys or, in a list without keys such as the parents of an HTTPRoute, the item that is the same but for its conditions.
 */
export function withNestedConditions(
  stated: JsonObject,
  present: JsonObject,
  schema: StructuralSchema | undefined,
  basis: ConditionBasis,
): JsonObject {
  const fields = Object.entries(stated).map(([name, value]) => {
    return [name, completedValue(value, fieldOf(present, name), placeIn(schema, name), basis)] as const;
  });
  return Object.fromEntries(fields);
}

/** A field, and its schema where that is known. */
interface Place {
  readonly name: string;
  readonly schema: StructuralSchema | undefined;
}

function completedValue(
  stated: JsonValue | undefined,
  present: JsonValue | undefined,
  place: Place,
  basis: ConditionBasis,
): JsonValue | undefined {
  const { schema } = place;
  if (isJsonObject(stated)) return withNestedConditions(stated, isJsonObject(present) ? present : {}, schema, basis);
  if (!isJsonArray(stated)) return stated;
  const before = isJsonArray(present) ? present : [];
  if (hasConditions(place)) return stated.map((item) => completedCondition(item, conditionsOf(before), schema, basis));
  return stated.map((item) => {
    // A list may be long, and looking for the same item takes a look at each.
    if (!isJsonObject(item) || !statesConditions(item)) return item;
    const same = before.filter(isJsonObject).find((other) => isSame(item, other, schema?.items, schema?.["x-kubernetes-list-map-keys"]));
    return withNestedConditions(item, same ?? {}, schema?.items, basis);
  });
}

function completedCondition(
  stated: JsonValue,
  before: readonly Condition[],
  schema: StructuralSchema | undefined,
  { generation, clock }: ConditionBasis,
): JsonValue {
  const [draft] = conditionsOf([stated]);
  if (draft === undefined) return stated;
  const same = findCondition(before, draft.type);
  // Those of another controller are stated as they are.
  if (same !== undefined && structuralEqual(jsonOf(same), stated)) return stated;
  const hasGeneration = schema?.items?.properties?.["observedGeneration"] !== undefined;
  const { observedGeneration = hasGeneration ? generation : undefined, ...rest } = draft;
  const [condition = draft] = setCondition(
    same === undefined ? [] : [same],
    { ...rest, ...(observedGeneration === undefined ? {} : { observedGeneration }) },
    clock,
  );
  return jsonOf(condition);
}

/** Whether a list is one of conditions: by its name, unless the schema has no place for their times. */
function hasConditions({ name, schema }: Place): boolean {
  return name === "conditions" && (schema === undefined || schema.items?.properties?.["lastTransitionTime"] !== undefined);
}

/** Whether there may be conditions anywhere in a value. */
function statesConditions(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(statesConditions);
  return isJsonObject(value) && (Object.hasOwn(value, "conditions") || Object.values(value).some(statesConditions));
}

/** Whether two items are the same, by these fields of theirs or by all but conditions. Defaults may be left out. */
function isSame(left: JsonObject, right: JsonObject, schema: StructuralSchema | undefined, keys?: readonly string[]): boolean {
  const names = keys ?? [...Object.keys(left), ...Object.keys(right), ...Object.keys(schema?.properties ?? {})];
  return names.every((name) => {
    const place = placeIn(schema, name);
    return hasConditions(place) || isAlike(fieldOf(left, name), fieldOf(right, name), place.schema);
  });
}

function isAlike(left: JsonValue | undefined, right: JsonValue | undefined, schema: StructuralSchema | undefined): boolean {
  const [first, second] = [left ?? schema?.default, right ?? schema?.default];
  if (isJsonObject(first) && isJsonObject(second)) return isSame(first, second, schema);
  if (!isJsonArray(first) || !isJsonArray(second)) return structuralEqual(first, second);
  return first.length === second.length && first.every((item, index) => isAlike(item, second[index], schema?.items));
}

function placeIn(schema: StructuralSchema | undefined, name: string): Place {
  const { properties = {}, additionalProperties } = schema ?? {};
  const entries = additionalProperties === true ? undefined : additionalProperties;
  return { name, schema: Object.hasOwn(properties, name) ? properties[name] : entries };
}

function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
