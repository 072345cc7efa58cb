import { isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { StructuralSchema } from "@kaji/core/define";
import type { FieldMapping } from "./field-mapping.ts";

/** The fields of an object in another version, as the mappings say. */
export function convertFields(
  fields: JsonObject,
  from: StructuralSchema,
  to: StructuralSchema,
  mappings: readonly FieldMapping[],
  way: "toHub" | "fromHub",
): JsonObject {
  const [source, target] = way === "toHub" ? (["spoke", "hub"] as const) : (["hub", "spoke"] as const);
  const result: Fields = {};
  for (const mapping of mappings) {
    if (mapping.lossy !== undefined) continue;
    const values = mapping[source].map((path) => valueAt(fields, path.split(".")));
    // A stored object may lack what its schema requires by now; a form that relies on it must not be asked.
    if (mapping[source].some((path, index) => values[index] === undefined && isAlwaysThere(from, path.split(".")))) continue;
    const converted = mapping[way](values);
    for (const [index, path] of mapping[target].entries()) setAt(result, path.split("."), converted[index] as JsonValue | undefined);
  }
  keepContainers(fields, from, result, to);
  addRequired(result, to);
  for (const mapping of mappings) if (mapping.lossy !== undefined) fillIn(result, to, mapping[target], mapping[way]([]));
  return result;
}

type Fields = Record<string, JsonValue | undefined>;

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

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
    const value = valueAt(fields, [name]);
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

/** Gives fields that the other version does not have their values, in parts that are there: what is filled in does not make a part. */
function fillIn(result: Fields, to: StructuralSchema, paths: readonly string[], values: readonly unknown[]): void {
  for (const [index, path] of paths.entries()) {
    const names = path.split(".");
    const part = names.slice(0, -1);
    if (isAlwaysThere(to, part) || isJsonObject(valueAt(result, part))) setAt(result, names, values[index] as JsonValue | undefined);
  }
}

/** Whether a field is in every object that follows the schema: it and all on the way to it are required or have a default. */
function isAlwaysThere(schema: StructuralSchema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const field = schema.properties?.[name];
  if (field === undefined) return false;
  return ((schema.required ?? []).includes(name) || field.default !== undefined) && isAlwaysThere(field, rest);
}
