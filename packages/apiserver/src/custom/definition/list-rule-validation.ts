import { forbiddenField, invalidValue, notSupported, required } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { shownSchema } from "./crd-internal.ts";
import { itemsOf, propertyOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

const listTypes = ["atomic", "set", "map"];

/** What is wrong with what a schema says of its list: whether its items are one value, a set, or a map by some of their fields. */
export function validateListRules(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  const { "x-kubernetes-list-type": listType, "x-kubernetes-list-map-keys": keys = [] } = schema;
  return listType === undefined && keys.length === 0 ? [] : [...listErrors(schema, keys, path), ...itemErrors(schema, keys, path)];
}

function listErrors(schema: JsonSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const { type = "", "x-kubernetes-list-type": listType } = schema;
  const typePath = path.child("type");
  const listTypePath = path.child("x-kubernetes-list-type");
  const errors: FieldError[] = [];
  if (listType !== undefined && type !== "array") {
    const rule = "must be array if x-kubernetes-list-type is specified";
    errors.push(type === "" ? required(typePath, rule) : invalidValue(typePath, type, rule));
  } else if (listType === "set") {
    errors.push(...setErrors(schema, path));
  }
  if (listType !== undefined && !listTypes.includes(listType)) errors.push(notSupported(listTypePath, listType, listTypes));
  if (keys.length > 0 && listType !== "map") {
    const rule = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? required(listTypePath, rule) : invalidValue(listTypePath, listType, rule));
  }
  if (listType === "map") errors.push(...mapErrors(schema, keys, path));
  return errors;
}

/** An item of a set is one value. */
function setErrors(schema: JsonSchemaProps, path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  const { "x-kubernetes-list-type": listType, "x-kubernetes-map-type": mapType } = items ?? {};
  const rule = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (items?.type === "array" && listType !== undefined && listType !== "atomic") {
    return [invalidValue(path.child("items", "x-kubernetes-list-type"), listType, rule)];
  }
  if (items?.type !== "object" || mapType === "atomic") return [];
  return [invalidValue(path.child("items", "x-kubernetes-map-type"), listType ?? null, rule)];
}

function mapErrors(schema: JsonSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  const errors: FieldError[] = [];
  if (keys.length === 0)
    errors.push(required(path.child("x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map"));
  if (schema.items === undefined) {
    errors.push(required(path.child("items"), "must have a schema if x-kubernetes-list-type is map"));
  } else if (items === undefined) {
    const shown = { Schema: null, JSONSchemas: Array.isArray(schema.items) ? schema.items.map(shownSchema) : null };
    errors.push(invalidValue(path.child("items"), shown, "must only have a single schema if x-kubernetes-list-type is map"));
  } else if (items.type !== "object") {
    const rule = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(path.child("items", "type"), items.type ?? "", rule));
  } else {
    errors.push(...keyErrors(items, keys, path));
  }
  return errors;
}

function keyErrors(items: JsonSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const keysPath = path.child("x-kubernetes-list-map-keys");
  return keys.flatMap((key, index) => {
    const errors: FieldError[] = [];
    const property = propertyOf(items, key);
    if (property === undefined) {
      errors.push(invalidValue(keysPath, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const rule = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(path.child("items", "properties").key(key).child("type"), items.type, rule));
    }
    if (keys.indexOf(key) < index) errors.push(invalidValue(keysPath, keys, "must not contain duplicate entries"));
    return errors;
  });
}

/** Items that must differ cannot be null, and what tells them apart must be there. */
function itemErrors(schema: JsonSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  const listType = schema["x-kubernetes-list-type"];
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    errors.push(forbiddenField(path.child("items", "nullable"), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  for (const key of listType === "map" ? keys : []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const at = path.child("items", "properties").key(key);
    const isThere = items.required?.includes(key) === true || (property.default ?? null) !== null;
    if (!isThere) {
      const rule = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      errors.push(required(at.child("default"), rule));
    }
    if (property.nullable === true) {
      errors.push(forbiddenField(at.child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
    }
  }
  return errors;
}
