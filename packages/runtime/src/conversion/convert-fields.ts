import { isJsonObject, structuralEqual, valueAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { StructuralSchema } from "@kaji/core/define";
import type { FieldMapping } from "./field-mapping.ts";

/** How fields go from one version to another. */
export interface Route {
  readonly from: StructuralSchema;
  readonly to: StructuralSchema;
  readonly mappings: readonly FieldMapping[];
  readonly way: "toHub" | "fromHub";
}

/** The fields of an object in another version, as the mappings say. `kept` are those that only the other version has, by their paths, where they are known. */
export function convertFields(fields: JsonObject, kept: JsonObject, { from, to, mappings, way }: Route): JsonObject {
  const [source, target] = sidesOf(way);
  const result: Fields = {};
  const mapped = mappings.filter(({ lossy, isKept }) => lossy === undefined && isKept === undefined);
  for (const mapping of mapped) {
    const values = mapping[source].map((path) => valueAt(fields, ...path.split(".")));
    if (!areComplete(values, mapping[source], from)) continue;
    const converted = originalIn(kept, mapping, { values, way }) ?? mapping[way](values);
    for (const [index, path] of mapping[target].entries()) setAt(result, path.split("."), converted[index] as JsonValue | undefined);
  }
  keepContainers(fields, from, result, to);
  addRequired(result, to);
  const shared = mapped.flatMap((mapping) => mapping[target]);
  for (const mapping of mappings) {
    const [path] = mapping[target];
    if (mapped.includes(mapping) || path === undefined) continue;
    const value = Object.hasOwn(kept, path) && mapping.isKept === true ? kept[path] : mapping[way]([])[0];
    fillIn(result, to, path, { value: value as JsonValue | undefined, shared });
  }
  return result;
}

/** What an object has and the other version cannot say, and is to keep, by the paths of the fields. */
export function fieldsToKeep(fields: JsonObject, { from, mappings, way }: Route): JsonObject {
  const [source] = sidesOf(way);
  const kept = mappings.flatMap((mapping) => {
    const paths = mapping[source];
    const values = paths.map((path) => valueAt(fields, ...path.split(".")));
    const isWhole = mapping.keepsOriginal === true && areComplete(values, paths, from) && isChangedByReturning(mapping, { values, way });
    if (isWhole) return paths.map((path, index) => [path, values[index] ?? null] as const);
    return mapping.isKept === true
      ? paths.flatMap((path, index) => (values[index] === undefined ? [] : [[path, values[index]] as const]))
      : [];
  });
  return Object.fromEntries(kept);
}

/** A stored object may lack what its schema requires by now; a form that relies on it must not be asked. */
function areComplete(values: readonly unknown[], paths: readonly string[], schema: StructuralSchema): boolean {
  return !paths.some((path, index) => values[index] === undefined && isAlwaysThere(schema, path.split(".")));
}

/** The values of the fields of a mapping, and the way that they are to go. */
interface Journey {
  readonly values: readonly unknown[];
  readonly way: Route["way"];
}

/** What the fields were that the values come from, if that is kept and the values have not been changed since. */
function originalIn(kept: JsonObject, mapping: FieldMapping, { values, way }: Journey): readonly unknown[] | undefined {
  const paths = mapping[sidesOf(way)[1]];
  if (mapping.keepsOriginal !== true || !paths.some((path) => Object.hasOwn(kept, path))) return undefined;
  const original = paths.map((path) => kept[path] ?? undefined);
  try {
    return structuralEqual(mapping[way](values), mapping[way](mapping[returnOf(way)](original))) ? original : undefined;
  } catch {
    // Anybody can write annotations: what a form fails on counts for nothing.
    return undefined;
  }
}

function isChangedByReturning(mapping: FieldMapping, { values, way }: Journey): boolean {
  return !structuralEqual(values, mapping[returnOf(way)](mapping[way](values)));
}

function returnOf(way: Route["way"]): Route["way"] {
  return way === "toHub" ? "fromHub" : "toHub";
}

function sidesOf(way: Route["way"]): readonly ["spoke", "hub"] | readonly ["hub", "spoke"] {
  return way === "toHub" ? ["spoke", "hub"] : ["hub", "spoke"];
}

type Fields = Record<string, JsonValue | undefined>;

function setAt(object: Fields, path: readonly string[], value: JsonValue | undefined): void {
  const [name, ...rest] = path;
  if (name === undefined || value === undefined) return;
  if (rest.length === 0) object[name] = value;
  else setAt(fieldsIn(object, name), rest, value);
}

/** The fields of a field, to be changed: a copy, since what is there may belong to the object that is converted. */
function fieldsIn(object: Fields, name: string): Fields {
  const present = object[name];
  const copy = isJsonObject(present) ? { ...present } : {};
  object[name] = copy;
  return copy;
}

/** Keeps an optional part that both versions have under one name, even if it is empty: `{}` may differ from absent. */
function keepContainers(fields: JsonObject, from: StructuralSchema, result: Fields, to: StructuralSchema): void {
  for (const [name, schema] of Object.entries(to.properties ?? {})) {
    const counterpart = from.properties?.[name];
    const value = valueAt(fields, name);
    if (schema.properties === undefined || counterpart?.properties === undefined || !isJsonObject(value)) continue;
    if (isAlwaysThere(from, [name]) && !isJsonObject(result[name])) continue;
    keepContainers(value, counterpart, fieldsIn(result, name), schema);
  }
}

/** Parts that an object must have are there, even when nothing is in them. */
function addRequired(result: Fields, schema: StructuralSchema): void {
  for (const [name, { properties, required }] of Object.entries(schema.properties ?? {})) {
    if (properties === undefined) continue;
    const isNeeded = (schema.required ?? []).includes(name) && (required ?? []).length === 0;
    if (isNeeded || isJsonObject(result[name])) addRequired(fieldsIn(result, name), schema.properties?.[name] ?? {});
  }
}

/** What is filled in, and which fields the versions share. */
interface Filling {
  readonly value: JsonValue | undefined;
  readonly shared: readonly string[];
}

/** Gives a field that the other version does not have its value. A part that the other version has fields of is not made by that: there it was left out. */
function fillIn(result: Fields, to: StructuralSchema, path: string, { value, shared }: Filling): void {
  const names = path.split(".");
  const parts = names.slice(0, -1).map((_, index) => names.slice(0, index + 1));
  const isLeftOut = (part: readonly string[]): boolean =>
    !isAlwaysThere(to, part) && !isJsonObject(valueAt(result, ...part)) && shared.some((other) => other.startsWith(`${part.join(".")}.`));
  if (!parts.some(isLeftOut)) setAt(result, names, value);
}

/** Whether a field is in every object that follows the schema: it and all on the way to it are required or have a default. */
function isAlwaysThere(schema: StructuralSchema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const field = schema.properties?.[name];
  if (field === undefined) return false;
  return ((schema.required ?? []).includes(name) || field.default !== undefined) && isAlwaysThere(field, rest);
}
