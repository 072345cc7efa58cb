import { isJsonArray, isJsonObject, structuralEqual } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { counted } from "../counted.ts";

/** As many fields as a line has room for. */
const shownFields = 8;

/** The paths of the fields that differ, `spec.template.spec.containers[0].image`; a list that got longer or shorter is one field. */
export function changedFields(before: JsonValue | undefined, after: JsonValue | undefined, path = ""): readonly string[] {
  if (structuralEqual(before, after)) return [];
  if (isJsonArray(before) && isJsonArray(after)) {
    if (before.length !== after.length || ![...before, ...after].every(isJsonObject)) return [path];
    return before.flatMap((item, index) => changedFields(item, after[index], `${path}[${index}]`));
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changedFields(before[name], after[name], path === "" ? name : `${path}.${name}`));
}

/** The first fields, and how many more there are. */
export function shortList(fields: readonly string[]): string {
  const rest = fields.length - shownFields;
  return `${fields.slice(0, shownFields).join(", ")}${rest > 0 ? ` and ${counted(rest, "more field")}` : ""}`;
}
