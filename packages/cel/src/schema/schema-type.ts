import { escapeField, isReserved } from "@kaji/core";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { additionalOf, itemsOf, propertiesOf, roleOf } from "./json-schema.ts";
import type { JsonSchema, SchemaRole } from "./json-schema.ts";

/** The type that an expression sees a value of a schema as; undefined when it sees nothing of it. Object types are named after `name`. */
export function schemaType(schema: JsonSchema, role: SchemaRole, name: string): Type | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return dynType;
  switch (schema.type) {
    case "array": {
      const items = itemsOf(schema);
      const item = items === undefined ? undefined : schemaType(items, roleOf(items), `${name}.@idx`);
      return item === undefined ? undefined : listType(item);
    }
    case "object":
      return objectSchemaType(schema, role, name);
    case "string":
      return formatTypes[schema.format ?? ""] ?? stringType;
    case "boolean":
      return boolType;
    case "number":
      return doubleType;
    case "integer":
      return intType;
    default:
      return undefined;
  }
}

const formatTypes: Readonly<Partial<Record<string, Type>>> = {
  byte: bytesType,
  duration: durationType,
  date: timestampType,
  "date-time": timestampType,
};

function objectSchemaType(schema: JsonSchema, role: SchemaRole, name: string): Type | undefined {
  const additional = additionalOf(schema);
  if (additional !== undefined) {
    const value = schemaType(additional, roleOf(additional), `${name}.@elem`);
    return value === undefined ? undefined : mapType(stringType, value);
  }
  const fields = new Map<string, Type>();
  for (const [field, property] of propertiesOf(schema, role) ?? []) {
    const escaped = escapeField(field);
    const type = schemaType(property, roleOf(property), `${name}.${escaped}`);
    if (escaped === undefined || type === undefined) continue;
    fields.set(escaped, type);
    if (isReserved(field)) fields.set(field, type);
  }
  return objectType(name, fields);
}
