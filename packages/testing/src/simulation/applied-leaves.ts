import { formatJsonPointer, isJsonArray, isJsonObject, jsonOf, objectAt, parseJson } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { worldManager } from "./actors/actor.ts";

/** A single value in an object. */
export interface Leaf {
  /** Where it is, as a JSON pointer. */
  readonly field: string;
  readonly value: string | number | boolean;
}

/**
 * The single values of an object that the operator applies, by the server's record of it: those it says it wants to be so. What it wrote in another way may be there to be changed by others. Names, owners and
 * what items of a list are known by do not count; of what is one value to the server, such as a selector, the first does.
 */
export function appliedLeaves(object: DynamicObject): readonly Leaf[] {
  const { managedFields = [] } = object.metadata;
  const records = managedFields.filter(
    ({ manager, operation, subresource = "", apiVersion }) =>
      operation === "Apply" && manager !== "user" && manager !== worldManager && subresource === "" && apiVersion === object.apiVersion,
  );
  const leaves = records.flatMap(({ fieldsV1 = {} }) => [...leavesIn(ofContent(jsonOf(fieldsV1)), jsonOf(object), [])]);
  return [...new Map(leaves.map((leaf) => [leaf.field, leaf])).values()];
}

/** The record without what makes an object the one that it is. */
function ofContent(fields: JsonObject): JsonObject {
  const { "f:metadata": metadata, ...content } = fields;
  const kept = Object.entries(objectAt(metadata)).filter(([member]) => member === "f:labels" || member === "f:annotations");
  return kept.length === 0 ? content : { ...content, "f:metadata": Object.fromEntries(kept) };
}

function* leavesIn(
  fields: JsonObject,
  value: JsonValue | undefined,
  steps: readonly string[],
  key: JsonObject = {},
): Generator<Leaf, undefined> {
  if (Object.keys(fields).length === 0) yield* firstLeaf(value, steps);
  for (const [member, inside] of Object.entries(fields)) {
    const place = isJsonObject(inside) && !Object.hasOwn(key, member.slice("f:".length)) ? placeOf(member, value) : undefined;
    if (place !== undefined && isJsonObject(inside)) yield* leavesIn(inside, place.value, [...steps, place.step], place.key);
  }
  return undefined;
}

/** Something within a value. */
interface Place {
  readonly step: string;
  readonly value: JsonValue | undefined;
  /** Of an item of a list, what it is known by. */
  readonly key?: JsonObject;
}

/** Where a member of the record is in a value. A member of a set has no place of its own. */
function placeOf(member: string, value: JsonValue | undefined): Place | undefined {
  const name = member.slice("f:".length);
  if (member.startsWith("f:")) return isJsonObject(value) ? { step: name, value: value[name] } : undefined;
  const key = member.startsWith("k:") ? parseJson(name) : undefined;
  if (!isJsonObject(key) || !isJsonArray(value)) return undefined;
  const index = value.findIndex((item) => isJsonObject(item) && Object.entries(key).every(([part, wanted]) => item[part] === wanted));
  return index < 0 ? undefined : { step: String(index), value: value[index], key };
}

function firstLeaf(value: JsonValue | undefined, steps: readonly string[]): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return [{ field: formatJsonPointer(steps), value }];
  if (typeof value !== "object" || value === null) return [];
  for (const [name, inside] of Object.entries(value)) {
    const [leaf] = firstLeaf(inside, [...steps, name]);
    if (leaf !== undefined) return [leaf];
  }
  return [];
}
