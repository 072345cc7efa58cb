import { Quantity, RecentMap, isJsonArray, isJsonObject, parseJson, structuralEqual } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";

/**
 * How what is wanted compares with what is there: the `Same`; the same fields with other `Values`, as after a change of mind or when the server writes a value in
 * its own way; or other `Fields` than the ones that were applied.
 */
export type Comparison = "Same" | "Values" | "Fields";

/**
 * Compares what is wanted with what is there, by the server's own record of the fields that were applied (`fieldsV1`).
 *
 * The record knows what JSON does not show: which lists are sets or are merged by keys, which maps and lists are one value, and which fields were applied once and are no longer wanted.
 * Whatever else is in the object, be it a default of the server or another manager's, does not count.
 */
export function compareApplied(wanted: JsonValue, fields: JsonObject, live: JsonValue | undefined, name = ""): Comparison {
  if (isJsonArray(wanted))
    return hasMembers(fields, "k:") || hasMembers(fields, "v:") ? compareItems(wanted, fields, live) : compareWhole(wanted, live, name);
  if (isJsonObject(wanted)) return hasMembers(fields, "f:") ? compareFields(wanted, fields, live, name) : compareWhole(wanted, live, name);
  return compareWhole(wanted, live, name);
}

function compareFields(wanted: JsonObject, fields: JsonObject, live: JsonValue | undefined, parent: string): Comparison {
  const there = isJsonObject(live) ? live : {};
  let comparison: Comparison = "Same";
  let names = 0;
  for (const name in wanted) {
    const value = wanted[name];
    const member = fields[memberOf(name)];
    const inside = Object.hasOwn(there, name) ? there[name] : undefined;
    // The server records no owner for an empty list that is merged by keys, and does not keep one in built-in kinds.
    if (member === undefined && isEmptyList(value) && (inside === undefined || isEmptyList(inside))) continue;
    if (value === undefined || !isJsonObject(member)) return "Fields";
    names++;
    comparison = worse(comparison, compareApplied(value, member, inside, quantityName(parent, name)));
    if (comparison === "Fields") return comparison;
  }
  return names === countMembers(fields, "f:") ? comparison : "Fields";
}

/** The items of a set, or of a list that is merged by keys; those of a list must also be in the wanted order, as that of init containers counts. */
function compareItems(wanted: JsonArray, fields: JsonObject, live: JsonValue | undefined): Comparison {
  const there = isJsonArray(live) ? live : [];
  const unseen = itemMembers(fields);
  if (wanted.length !== unseen.length) return "Fields";
  let comparison: Comparison = "Same";
  let last = -1;
  for (const item of wanted) {
    const position = unseen.findIndex((each) => isItem(item, identityIn(each), "Wanted"));
    const member = unseen[position];
    if (member === undefined) return "Fields";
    unseen.splice(position, 1);
    const [identity, inside] = [identityIn(member), fields[member]];
    const index = there.findIndex((each) => isItem(each, identity, "Live"));
    if (index < 0 || (isJsonObject(identity) && index < last)) comparison = "Values";
    last = index;
    if (index >= 0 && isJsonObject(inside)) comparison = worse(comparison, compareApplied(item, inside, there[index]));
    if (comparison === "Fields") return comparison;
  }
  return comparison;
}

/** The members of the record that stand for items. */
function itemMembers(fields: JsonObject): string[] {
  const members: string[] = [];
  for (const member in fields) if (member.startsWith("k:") || member.startsWith("v:")) members.push(member);
  return members;
}

/** What fields are called in the record, by their names: to look up a text that was just put together takes several times as long. */
const knownMembers = new RecentMap<string, string>(1024);

function memberOf(name: string): string {
  let member = knownMembers.get(name);
  if (member === undefined) knownMembers.set(name, (member = `f:${name}`));
  return member;
}

/** What items are known by, as it was read lately: the same ones come with every reconcile. */
const knownIdentities = new RecentMap<string, JsonValue>(256);

/** The keys or the value that a member of the record has in its name. */
export function identityIn(member: string): JsonValue {
  let identity = knownIdentities.get(member);
  if (identity === undefined) knownIdentities.set(member, (identity = parseJson(member.slice(2))));
  return identity;
}

/** Whether an item is the one of these keys. What is wanted may leave out a key that has a default. */
export function isItem(item: JsonValue, identity: JsonValue, side: "Wanted" | "Live"): boolean {
  if (!isJsonObject(identity) || !isJsonObject(item)) return structuralEqual(item, identity);
  for (const key in identity) {
    const value = item[key];
    if (!(side === "Wanted" && value === undefined) && !structuralEqual(value, identity[key])) return false;
  }
  return true;
}

/** What is one value to the server: scalars, and maps and lists that are replaced as a whole. */
function compareWhole(wanted: JsonValue, live: JsonValue | undefined, name: string): Comparison {
  return isSameValue(wanted, live, name) ? "Same" : "Values";
}

function isSameValue(wanted: JsonValue, live: JsonValue | undefined, name: string): boolean {
  if (wanted === live) return true;
  if (isJsonArray(wanted)) {
    return isJsonArray(live) && wanted.length === live.length && wanted.every((item, index) => isSameValue(item, live[index], name));
  }
  if (isJsonObject(wanted) && isJsonObject(live)) {
    const defaults = knownDefaults.get(name) ?? {};
    const isDefault = (key: string): boolean => structuralEqual(live[key], defaults[key]);
    return (
      Object.entries(wanted).every(([key, value]) => value === undefined || isSameValue(value, live[key], quantityName(name, key))) &&
      Object.keys(live).every((key) => wanted[key] !== undefined || isDefault(key))
    );
  }
  return structuralEqual(wanted, live) || (name === "quantity" && isSameQuantity(wanted, live));
}

/** Defaults of built-in kinds inside of what is one value, by the name of the field or list that they are in: a label of the same name elsewhere is none. */
const knownDefaults: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["fieldRef", { apiVersion: "v1" }],
  ["resourceFieldRef", { divisor: "0" }],
  ["serviceAccountToken", { expirationSeconds: 3600 }],
  // In a volumeClaimTemplate.
  ["volumeClaimTemplates", { apiVersion: "v1", kind: "PersistentVolumeClaim", status: { phase: "Pending" } }],
  ["metadata", { creationTimestamp: null }],
  ["spec", { volumeMode: "Filesystem" }],
  // Of a NetworkPolicy.
  ["ports", { protocol: "TCP" }],
]);

/** Fields whose values are quantities, whatever their names; the server writes them in their shortest form. */
const quantityMaps: ReadonlySet<string> = new Set([
  "limits",
  "requests",
  "hard",
  "capacity",
  "min",
  "max",
  "default",
  "defaultRequest",
  "overhead",
]);

/** By what a value is compared: that of a quantity by what it means, whatever the name of its field. */
export function quantityName(parent: string, name: string): string {
  return quantityMaps.has(parent) || name === "sizeLimit" || name === "divisor" ? "quantity" : name;
}

function isSameQuantity(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  try {
    return Quantity.parse(scalarText(left)).equals(Quantity.parse(scalarText(right)));
  } catch {
    return false;
  }
}

function isEmptyList(value: JsonValue | undefined): boolean {
  return isJsonArray(value) && value.length === 0;
}

function scalarText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function hasMembers(fields: JsonObject, prefix: string): boolean {
  for (const member in fields) if (member.startsWith(prefix)) return true;
  return false;
}

function countMembers(fields: JsonObject, prefix: string): number {
  let count = 0;
  for (const member in fields) if (member.startsWith(prefix)) count++;
  return count;
}

function worse(left: Comparison, right: Comparison): Comparison {
  if (left === "Fields" || right === "Fields") return "Fields";
  return left === "Values" ? left : right;
}
