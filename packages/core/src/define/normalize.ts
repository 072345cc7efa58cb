import type { JsonValue } from "../json/json.ts";
import { isRecord } from "../json/json.ts";
import { structuralEqual } from "../json/structural-equal.ts";
import { objectMetaSchema } from "./object-meta.ts";
import { fieldOf } from "./structural-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * The value as the API server would keep it: unknown fields dropped, null taken for absent where it is not allowed, and defaults
 * filled in, but only inside of what is there. What is wrong with it stays wrong, for the validation to find.
 */
export function normalize(value: unknown, schema: StructuralSchema): unknown {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return schema["x-kubernetes-preserve-unknown-fields"] === true ? value : value.map((item: unknown) => normalize(item, items));
  }
  return isRecord(value) ? normalizeObject(value, schema) : value;
}

/** Whether nothing of a value was dropped when it was normalized; defaults may have been added. */
export function isWhole(value: JsonValue | undefined, kept: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return Array.isArray(kept) && value.every((item, index) => isWhole(item, kept[index]));
  if (typeof value !== "object" || value === null) return structuralEqual(value, kept);
  return (
    typeof kept === "object" && kept !== null && Object.entries(value).every(([name, field]) => isWhole(field, Reflect.get(kept, name)))
  );
}

function normalizeObject(value: Readonly<Record<string, unknown>>, schema: StructuralSchema): Readonly<Record<string, unknown>> {
  const kept: (readonly [string, unknown])[] = [];
  for (const name of Object.keys(value)) {
    const field = normalizeField(name, value[name], schema);
    if (field !== undefined) kept.push([name, field]);
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.default === undefined) continue;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (isAbsent(given, field)) kept.push([name, normalize(field.default, field)]);
  }
  // Not assigned one by one: that would change the prototype instead of adding a field `__proto__`.
  return Object.fromEntries(kept);
}

/** What remains of a field; undefined if it is dropped, or left to its default. */
function normalizeField(name: string, value: unknown, schema: StructuralSchema): unknown {
  if (schema["x-kubernetes-embedded-resource"] === true) {
    if (name === "apiVersion" || name === "kind") return value;
    if (name === "metadata") return normalize(value ?? {}, objectMetaSchema);
  }
  const field = fieldOf(schema, name);
  if (field === undefined) return schema["x-kubernetes-preserve-unknown-fields"] === true ? value : undefined;
  return isAbsent(value, field) ? undefined : normalize(value, field);
}

function isAbsent(value: unknown, schema: StructuralSchema): boolean {
  return value === undefined || (value === null && schema.nullable !== true);
}
