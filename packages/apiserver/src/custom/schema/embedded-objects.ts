import { FieldPath, dns1035LabelErrors, invalidValue, isJsonArray, isJsonObject, objectOf, required } from "@kaji/core";
import type { FieldError, JsonObject, JsonValue } from "@kaji/core";
import { DecodeError } from "../../object-schema.ts";
import { validateMetadata } from "../../registry/object-meta-validation.ts";
import { coerceMetadata } from "./metadata-coercion.ts";
import { sortedJson } from "./sorted-json.ts";
import type { StructuralNode } from "./structural-node.ts";

/** A value with the metadata of the objects embedded in it understood, and the paths of what was not. */
export interface Coerced<T extends JsonValue> {
  readonly value: T;
  readonly unknownFields: readonly string[];
}

/** An embedded object whose type or metadata cannot be read. */
export class EmbeddedObjectError extends DecodeError {
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(`${error.field}: ${error.body}`);
    this.error = error;
  }
}

/** Reads the metadata of all objects embedded in a value; a type that is no text, or wrong metadata, is an `EmbeddedObjectError`. */
export function coerceEmbedded<T extends JsonValue>(value: T, schema: StructuralNode, path?: FieldPath): Coerced<T>;
export function coerceEmbedded(value: JsonValue, schema: StructuralNode, path: FieldPath = FieldPath.root): Coerced<JsonValue> {
  if (!schema.within.embedded) return { value, unknownFields: [] };
  const unknownFields: string[] = [];
  return { value: coerce(value, schema, path, unknownFields), unknownFields: unknownFields.toSorted() };
}

/** What is wrong with the type and metadata of the objects embedded in a value. */
export function validateEmbedded(value: JsonValue, schema: StructuralNode, path: FieldPath): readonly FieldError[] {
  if (!schema.within.embedded) return [];
  const errors: FieldError[] = [];
  if (isJsonArray(value)) {
    const { items } = schema;
    if (items !== undefined) value.forEach((item, index) => errors.push(...validateEmbedded(item, items, path.index(index))));
  }
  if (!isJsonObject(value)) return errors;
  if (schema.embedded) errors.push(...typeErrors(value, path), ...metadataErrors(value, path));
  for (const [name, entry] of Object.entries(value)) {
    const property = schema.properties.get(name);
    const node = property ?? schema.additional;
    if (node === undefined || entry === undefined) continue;
    errors.push(...validateEmbedded(entry, node, property === undefined ? path.key(name) : path.child(name)));
  }
  return errors;
}

function coerce(value: JsonValue, schema: StructuralNode, path: FieldPath, unknownFields: string[]): JsonValue {
  if (!schema.within.embedded) return value;
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item, index) => coerce(item, items, path.index(index), unknownFields));
  }
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue | undefined> = { ...value };
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    const own = schema.embedded ? coerceOwn(name, given, path, unknownFields) : given;
    const property = schema.properties.get(name);
    const node = property ?? schema.additional;
    copy[name] = node === undefined ? own : coerce(own, node, property === undefined ? path.key(name) : path.child(name), unknownFields);
  }
  return copy;
}

/** Type and metadata of an embedded object. */
function coerceOwn(name: string, value: JsonValue, path: FieldPath, unknownFields: string[]): JsonValue {
  if (name === "apiVersion" || name === "kind") {
    if (typeof value !== "string") throw new EmbeddedObjectError(invalidValue(path.child(name), sortedJson(value), "must be a string"));
    return value;
  }
  if (name !== "metadata") return value;
  try {
    const coerced = coerceMetadata(value, path.child("metadata").toString());
    unknownFields.push(...coerced.unknownFields);
    return coerced.metadata;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new EmbeddedObjectError(invalidValue(path.child("metadata"), sortedJson(value), error.message));
  }
}

function typeErrors({ apiVersion, kind }: JsonObject, path: FieldPath): readonly FieldError[] {
  return [...apiVersionErrors(apiVersion, path.child("apiVersion")), ...kindErrors(kind, path.child("kind"))];
}

function apiVersionErrors(value: JsonValue | undefined, path: FieldPath): readonly FieldError[] {
  if (value === undefined) return [required(path)];
  if (typeof value !== "string") return [invalidValue(path, value, "must be a string")];
  if (value === "") return [invalidValue(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [invalidValue(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: JsonValue | undefined, path: FieldPath): readonly FieldError[] {
  if (value === undefined) return [required(path)];
  if (typeof value !== "string") return [invalidValue(path, value, "must be a string")];
  if (value === "") return [invalidValue(path, value, "must not be empty")];
  const errors = dns1035LabelErrors(value.toLowerCase());
  return errors.length === 0 ? [] : [invalidValue(path, value, `may have mixed case, but should otherwise match: ${errors.join(",")}`)];
}

/** An embedded object need have no name, and may have a namespace or not. */
function metadataErrors({ metadata }: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!isJsonObject(metadata)) return [];
  const named = { ...metadata, name: metadata["name"] ?? "fakename" };
  const scope = (metadata["namespace"] ?? "") === "" ? "Cluster" : "Namespaced";
  const errors = validateMetadata(objectOf({ metadata: named }), { scope }, {});
  const prefix = path.toString();
  return prefix === "" ? errors : errors.map((error) => ({ ...error, field: `${prefix}.${error.field}` }));
}
