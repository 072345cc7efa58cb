import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { MergeSchema } from "./merge-schema.ts";
import { fieldElement, formatElement } from "./path-element.ts";

/** The paths of all lists and objects in a value that could only be replaced as a whole. */
export function atomicParts(value: JsonValue, { map, list }: MergeSchema, path = ""): readonly string[] {
  if (isJsonObject(value) && map !== undefined) {
    const inside = Object.entries(value).flatMap(([name, entry]) => {
      const field = map.field(name);
      return field === undefined || entry === undefined ? [] : atomicParts(entry, field, `${path}${formatElement(fieldElement(name))}`);
    });
    return map.atomic ? [path, ...inside] : inside;
  }
  if (!isJsonArray(value) || list === undefined) return [];
  const inside = value.flatMap((item, index) => atomicParts(item, list.element, `${path}[${index}]`));
  return list.relationship === "atomic" ? [path, ...inside] : inside;
}
