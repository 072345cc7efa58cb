import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { DuplicateField } from "./parsed-body.ts";

/**
 * What to say of fields that are unknown or were given twice. Kinds that are Go structs are read field by field, so that all comes in the order
 * of the document; for others, what is given twice is found first.
 */
export function complaintsOf(
  value: JsonValue,
  unknownFields: readonly string[],
  duplicates: readonly DuplicateField[],
  duplicatesFirst: boolean,
): readonly string[] {
  const unknown = unknownFields.map((path) => ({ path, complaint: `unknown field ${duplicatesFirst ? `"${path}"` : quote(path)}` }));
  const all = [...duplicates, ...unknown];
  const isYaml = duplicates.some(({ complaint }) => complaint.startsWith("line "));
  if (all.length < 2 || duplicatesFirst || isYaml) return all.map(({ complaint }) => complaint);
  const order = new Map(pathsOf(value, "").map((path, index) => [path, index]));
  return all.toSorted((left, right) => rank(left.path, order) - rank(right.path, order)).map(({ complaint }) => complaint);
}

/** A field that is no longer there, because all of what held it was given twice, counts as what held it. */
function rank(path: string, order: ReadonlyMap<string, number>): number {
  for (let known = path; known !== ""; known = known.slice(0, Math.max(known.lastIndexOf("."), known.lastIndexOf("["), 0))) {
    const index = order.get(known);
    if (index !== undefined) return index;
  }
  return order.size;
}

/** The paths of all fields, each before those below it. */
function pathsOf(value: JsonValue, path: string): readonly string[] {
  if (isJsonArray(value)) return value.flatMap((item, index) => pathsOf(item, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const here = path === "" ? key : `${path}.${key}`;
    return [here, ...pathsOf(field ?? null, here)];
  });
}
