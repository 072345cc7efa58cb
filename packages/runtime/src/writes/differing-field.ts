import { isJsonArray, isJsonObject, structuralEqual } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { compareApplied, identityIn, isItem, quantityName } from "./applied-fields.ts";
import { pathOf } from "./staying-field.ts";

/**
 * The path of the first field for which an object is not as it is wanted, by the rules of `compareApplied`: another value, not applied before, or applied and no longer wanted. It is for people, of an
 * object that is about to be written: whether there is such a field is known without its path.
 */
export function differingField(wanted: JsonValue, fields: JsonObject, live: JsonValue | undefined, name = ""): string | undefined {
  if (compareApplied(wanted, fields, live, name) === "Same") return undefined;
  if (isJsonArray(wanted)) return differingItem(wanted, fields, live);
  return isJsonObject(wanted) ? differingMember(wanted, fields, live, name) : "";
}

function differingMember(wanted: JsonObject, fields: JsonObject, live: JsonValue | undefined, parent: string): string {
  const members = Object.keys(fields).filter((member) => member.startsWith("f:"));
  if (members.length === 0) return differingValue(wanted, live);
  for (const [name, value] of Object.entries(wanted)) {
    const member = fields[`f:${name}`];
    const inside = isJsonObject(live) ? live[name] : undefined;
    if (value === undefined || (isJsonArray(value) && value.length === 0)) continue;
    // Whoever else changes a field takes it out of the record.
    if (!isJsonObject(member)) return joined(name, differingValue(value, inside));
    const rest = differingField(value, member, inside, quantityName(parent, name));
    if (rest !== undefined) return joined(name, rest);
  }
  const unwanted = members.map(pathOf).find((name) => wanted[name] === undefined);
  return unwanted ?? "";
}

/** Inside of an item of a list that is merged by keys; otherwise it is the list that differs, by its items or their order. */
function differingItem(wanted: JsonArray, fields: JsonObject, live: JsonValue | undefined): string {
  for (const [member, inside] of Object.entries(fields)) {
    if (!member.startsWith("k:") || !isJsonObject(inside)) continue;
    const identity = identityIn(member);
    const item = wanted.find((each) => isItem(each, identity, "Wanted"));
    const there = isJsonArray(live) ? live.find((each) => isItem(each, identity, "Live")) : undefined;
    const rest = item === undefined || there === undefined ? "" : differingField(item, inside, there);
    if (rest !== undefined) return joined(pathOf(member), rest);
  }
  return "";
}

/** Where there is no record of it, or it is one value to the server: which of the values is another one. */
function differingValue(wanted: JsonValue, live: JsonValue | undefined): string {
  if (!isJsonObject(wanted) || !isJsonObject(live)) return "";
  const found = Object.entries(wanted).find(([name, value]) => value !== undefined && !structuralEqual(value, live[name]));
  if (found === undefined) return "";
  const [name, value = null] = found;
  return joined(name, differingValue(value, live[name]));
}

function joined(name: string, rest: string): string {
  return rest === "" || rest.startsWith("[") ? `${name}${rest}` : `${name}.${rest}`;
}
