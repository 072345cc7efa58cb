import { escapeField } from "@kaji/core";
import { additionalOf, itemsOf, propertiesOf, roleOf } from "../schema/json-schema.ts";
import type { JsonSchema, SchemaRole } from "../schema/json-schema.ts";

/** How large values of a schema can be, given that a request has three megabytes at most. */
export interface SchemaSizes {
  /** The most items, entries or characters. */
  readonly mostElements: number;
  /** The least number of bytes that it takes in JSON. */
  readonly leastBytes: number;
  /** Of items of a list, or values of a map. */
  readonly elements?: SchemaSizes;
  readonly keys?: SchemaSizes;
  readonly fields?: ReadonlyMap<string, SchemaSizes>;
}

/** The limits that a schema may set on sizes. */
interface LimitedSchema extends JsonSchema {
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** The most bytes of a request. */
export const requestBytes: number = 3 * 1024 * 1024;
const longestText = requestBytes - 2;

/** The sizes of values of a schema; undefined when nothing is declared of them. */
export function schemaSizes(schema: LimitedSchema, role: SchemaRole): SchemaSizes | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return { mostElements: textLimit(schema) ?? longestText, leastBytes: 1 };
  switch (schema.type) {
    case "array":
      return listSizes(schema);
    case "object":
      return additionalOf(schema) === undefined ? objectSizes(schema, role) : mapSizes(schema);
    case "string":
      return textSizes(schema);
    case "boolean":
      return { mostElements: 0, leastBytes: 4 };
    case "number":
    case "integer":
      return { mostElements: 0, leastBytes: 1 };
    default:
      return undefined;
  }
}

function listSizes(schema: LimitedSchema): SchemaSizes | undefined {
  const items = itemsOf(schema);
  const elements = items === undefined ? undefined : schemaSizes(items, roleOf(items));
  if (elements === undefined) return undefined;
  const mostElements = atLeastZero(schema.maxItems) ?? Math.trunc(longestText / (elements.leastBytes + 1));
  return { mostElements, leastBytes: 2, elements };
}

function mapSizes(schema: LimitedSchema): SchemaSizes | undefined {
  const additional = additionalOf(schema);
  const elements = additional === undefined ? undefined : schemaSizes(additional, roleOf(additional));
  if (elements === undefined) return undefined;
  const mostElements = atLeastZero(schema.maxProperties) ?? Math.trunc(longestText / (elements.leastBytes + 6));
  return { mostElements, leastBytes: 2, elements, keys: { mostElements: 0, leastBytes: 2 } };
}

function objectSizes(schema: LimitedSchema, role: SchemaRole): SchemaSizes {
  const fields = new Map<string, SchemaSizes>();
  const required = new Set(schema.required);
  let leastBytes = 2;
  for (const [name, property] of propertiesOf(schema, role) ?? []) {
    const sizes = schemaSizes(property, roleOf(property));
    if (sizes === undefined) continue;
    const escaped = escapeField(name);
    if (escaped !== undefined) fields.set(escaped, sizes);
    const hasDefault = (property as LimitedSchema).default !== undefined;
    if (required.has(name) && !hasDefault) leastBytes += Buffer.byteLength(name) + sizes.leastBytes + 4;
  }
  return { mostElements: 0, leastBytes, fields };
}

function textSizes(schema: LimitedSchema): SchemaSizes {
  switch (schema.format) {
    case "byte":
      return { mostElements: atLeastZero(schema.maxLength) ?? longestText, leastBytes: 2 };
    case "duration":
      return { mostElements: 32, leastBytes: 3 };
    case "date":
      return { mostElements: 12, leastBytes: 12 };
    case "date-time":
      return { mostElements: 32, leastBytes: 21 };
    default:
      return { mostElements: textLimit(schema) ?? longestOf(schema.enum) ?? longestText, leastBytes: 2 };
  }
}

/** A character may take four bytes. */
function textLimit({ maxLength }: LimitedSchema): number | undefined {
  const limit = atLeastZero(maxLength);
  return limit === undefined ? undefined : limit * 4;
}

function longestOf(values: readonly unknown[] | undefined): number | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return Math.max(0, ...values.map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0)));
}

function atLeastZero(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit);
}
