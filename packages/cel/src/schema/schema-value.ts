import { ParseError, escapeField, isJsonArray, isJsonObject, structuralEqual } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { goType, parseFormatDuration, parseRfc3339 } from "@kaji/core/go";
import { equal } from "../value/equality.ts";
import { parseDate, parseTimestamp } from "../value/timestamp.ts";
import { Double, Duration, ErrorValue, Timestamp, isError, noSuchOverload } from "../value/value.ts";
import type { MapValue, Meter, OpaqueValue, Value } from "../value/value.ts";
import { additionalOf, itemsOf, propertiesOf, roleOf } from "./json-schema.ts";
import type { JsonSchema, SchemaRole } from "./json-schema.ts";
import { schemaList } from "./schema-list.ts";

/** Makes JSON into what an expression sees. */
export type SchemaReader = (json: JsonValue) => Value;

/** How JSON of a schema is read. Made once for each schema; what is inside of an object or list is read when it is asked for. */
export function schemaReader(schema: JsonSchema, role: SchemaRole): SchemaReader {
  const read = typedReader(schema, role);
  const absent = schema.nullable === true ? null : new ErrorValue("invalid data, got null for schema with nullable=false");
  return (json) => (json === null ? absent : read(json));
}

function typedReader(schema: JsonSchema, role: SchemaRole): SchemaReader {
  if (schema["x-kubernetes-int-or-string"] === true) return readIntOrString;
  switch (schema.type) {
    case "object":
      return objectReader(schema, role);
    case "array":
      return listReader(schema);
    case "string":
      return textReader(schema.format);
    case "number":
      return (json) => (isNumber(json) ? new Double(Number(json)) : mismatch("float", json));
    case "integer":
      return (json) => (isWhole(json) ? json : mismatch("int", json));
    case "boolean":
      return (json) => (typeof json === "boolean" ? json : mismatch("bool", json));
    default:
      return (json) => new PreservedValue(json);
  }
}

function objectReader(schema: JsonSchema, role: SchemaRole): SchemaReader {
  const shape = new ObjectShape(schema, role);
  const problem = new ErrorValue("invalid data, expected a map for the provided schema with type=object");
  return (json) => (isJsonObject(json) ? new SchemaObject(json, shape) : problem);
}

function listReader(schema: JsonSchema): SchemaReader {
  const items = itemsOf(schema);
  const problem = new ErrorValue("invalid data, expected an array for the provided schema with type=array");
  const read = items === undefined ? undefined : schemaReader(items, roleOf(items));
  if (read === undefined) return () => new ErrorValue("invalid array type, expected Items with a non-empty Schema");
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return (json) => (isJsonArray(json) ? schemaList(json, read, schema["x-kubernetes-list-type"], keys) : problem);
}

/** What is known of the fields of an object: how each is read. */
class ObjectShape {
  /** By the names that expressions use, and by their own. Undefined when no fields are declared. */
  readonly fields: ReadonlyMap<string, Field> | undefined;
  readonly #byName: ReadonlyMap<string, Field>;
  readonly #additional: SchemaReader | undefined;

  constructor(schema: JsonSchema, role: SchemaRole) {
    const properties = propertiesOf(schema, role);
    const additional = additionalOf(schema);
    const fields = Array.from(properties ?? [], ([name, property]): Field => {
      return { name, escaped: escapeField(name) ?? name, read: schemaReader(property, roleOf(property)) };
    });
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.fields =
      properties === undefined ? undefined : new Map([...this.#byName, ...fields.map((field) => [field.escaped, field] as const)]);
    this.#additional = properties !== undefined || additional === undefined ? undefined : schemaReader(additional, roleOf(additional));
  }

  /** How an entry of the JSON is read, and what it is called in expressions; undefined when it is not declared. */
  entry(name: string): Pick<Field, "escaped" | "read"> | undefined {
    if (this.#additional !== undefined) return { escaped: name, read: this.#additional };
    return this.#byName.get(name);
  }
}

interface Field {
  readonly name: string;
  readonly escaped: string;
  readonly read: SchemaReader;
}

class SchemaObject implements MapValue {
  readonly kind = "map";
  readonly #json: JsonObject;
  readonly #shape: ObjectShape;
  /** The nested lists and objects that were read: kept, since they may have built indexes of their own. */
  #read: Map<string, Value> | undefined;
  #keys: readonly string[] | undefined;

  constructor(json: JsonObject, shape: ObjectShape) {
    this.#json = json;
    this.#shape = shape;
  }

  get size(): number {
    return this.#names.length;
  }

  get #names(): readonly string[] {
    return (this.#keys ??= Object.keys(this.#json));
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload;
    const known = this.#read?.get(key);
    if (known !== undefined) return known;
    const value = this.#value(key);
    if (typeof value === "object" && value !== null) (this.#read ??= new Map()).set(key, value);
    return value;
  }

  #value(key: string): Value | undefined {
    const { fields } = this.#shape;
    if (fields === undefined) {
      const json = own(this.#json, key);
      return json === undefined ? undefined : this.#shape.entry(key)?.read(json);
    }
    const field = fields.get(key);
    const json = field === undefined ? undefined : own(this.#json, field.name);
    return json === undefined || json === null ? undefined : field?.read(json);
  }

  keys(): readonly Value[] {
    return this.#names.flatMap((name) => this.#shape.entry(name)?.escaped ?? []);
  }

  equals(other: MapValue, meter: Meter): boolean | ErrorValue {
    if (this.size !== other.size) return false;
    meter.step(this.size);
    for (const name of this.#names) {
      const same = this.#entryEquals(name, other, meter);
      if (same !== true) return same;
    }
    return true;
  }

  #entryEquals(name: string, other: MapValue, meter: Meter): boolean | ErrorValue {
    const entry = this.#shape.entry(name);
    if (entry === undefined) {
      if (!(other instanceof SchemaObject)) return noSuchOverload;
      const [mine = null, theirs] = [own(this.#json, name), own(other.#json, name)];
      meter.step(sizeOfJson(mine));
      return theirs === undefined || structuralEqual(mine, theirs);
    }
    const [mine, theirs] = [this.find(entry.escaped), other.find(entry.escaped)];
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return equal(mine, theirs, meter);
  }
}

/** A value of which nothing is declared; it can be compared only. */
class PreservedValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName = "unknown";
  readonly #json: JsonValue;

  constructor(json: JsonValue) {
    this.#json = json;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof PreservedValue && structuralEqual(this.#json, other.#json);
  }
}

function textReader(format: string | undefined): SchemaReader {
  const read = textFormats[format ?? ""];
  if (read === undefined) return (json) => (typeof json === "string" ? json : mismatch("string", json));
  return (json) => (typeof json === "string" ? read(json) : mismatch("string", json));
}

const textFormats: Readonly<Partial<Record<string, (text: string) => Value>>> = {
  duration: readDuration,
  date: (text) => parseDate(text) ?? new ErrorValue(`Invalid date formatted string ${text}`),
  "date-time": readDateTime,
  byte: (text) => Buffer.from(text, "base64"),
};

/** Go tries several layouts, and tells what is wrong with the last. */
function readDateTime(text: string): Value {
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  try {
    const { seconds, nanos } = parseRfc3339(text, "2006-01-02T15:04:05");
    return new Timestamp(seconds, nanos);
  } catch (error) {
    if (error instanceof ParseError) return new ErrorValue(`Invalid date-time formatted string ${text}: ${error.message}`);
    throw error;
  }
}

function readDuration(text: string): Value {
  const nanos = parseFormatDuration(text);
  return nanos === undefined ? new ErrorValue(`Invalid duration ${text}: unable to parse ${text} as duration`) : new Duration(nanos);
}

function readIntOrString(json: JsonValue): Value {
  if (typeof json === "string" || isWhole(json)) return json;
  return new ErrorValue("invalid data, expected XIntOrString value to be either a string or integer");
}

function isWhole(json: JsonValue): json is number | bigint {
  return typeof json === "bigint" || Number.isSafeInteger(json);
}

function isNumber(json: JsonValue): json is number | bigint {
  return typeof json === "number" || typeof json === "bigint";
}

function mismatch(expected: string, json: JsonValue): ErrorValue {
  return new ErrorValue(`invalid data, expected ${expected}, got ${goType(json)}`);
}

/** How many values there are in it. */
function sizeOfJson(json: JsonValue | undefined): number {
  if (typeof json !== "object" || json === null) return 1;
  let size = 1;
  for (const part of Object.values(json)) size += sizeOfJson(part);
  return size;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
