import type { JsonObject, JsonValue } from "../json/json.ts";
import type { ElementPlan, FieldPlan, StructPlan } from "./plan.ts";
import { wire } from "./reader.ts";
import type { ProtobufReader } from "./reader.ts";
import { readIntOrString, readJson, readQuantity, readTime, readWrappedStrings } from "./special-types.ts";

type Fields = Record<string, JsonValue>;

/** Two bytes can stand for a struct with many zero fields: this bounds the memory that a small body can take. */
const maxStructs = 250_000;

/** Reads a whole message into `object`, whose own keys stay. */
export function decodeMessage(reader: ProtobufReader, plan: StructPlan, object: Fields): JsonObject {
  return new MessageDecoder(reader).struct(plan, object);
}

/** Decodes one message with all that is in it. A field that comes twice is merged, appended or replaced as Go does. */
class MessageDecoder {
  readonly #reader: ProtobufReader;
  #structs = 0;

  constructor(reader: ProtobufReader) {
    this.#reader = reader;
  }

  struct(plan: StructPlan, object: Fields, isNew = true): Fields {
    this.#fields(plan, object, isNew);
    return this.#complete(plan, object);
  }

  #fields(plan: StructPlan, object: Fields, isNew: boolean): void {
    const reader = this.#reader;
    let highest = 0;
    for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
      const field = plan.fields[number];
      // Go writes fields in ascending order: only where that is broken may this one have come before.
      const isFirst = isNew && number > highest;
      if (number > highest) highest = number;
      if (field === undefined) reader.skip();
      else if (reader.wireType === field.wire) this.#field(field, object, isFirst);
      else if (field.shape === "list" && reader.wireType === wire.bytes) this.#packed(field, object);
      else reader.expect(field.wire, `${plan.name}.${field.name}`);
    }
  }

  /** Adds what Go writes to JSON although the wire does not have it. */
  #complete(plan: StructPlan, object: Fields): Fields {
    this.#structs += 1;
    if (this.#structs > maxStructs) throw this.#reader.error(`the message holds more than ${maxStructs} structs`);
    for (const field of plan.always) {
      if (object[field.name] === undefined) object[field.name] = field.nullable ? null : this.#zero(field.element);
    }
    return object;
  }

  #field(field: FieldPlan, object: Fields, isFirst: boolean): void {
    switch (field.shape) {
      case "single":
        this.#single(field, object, isFirst);
        return;
      case "inline":
        this.#inline(field.element, object, isFirst);
        return;
      case "list":
        listOf(field, object).push(this.#value(field.element));
        return;
      case "wrapped":
        readWrappedStrings(this.#reader, listOf(field, object));
        return;
      case "map":
        this.#mapEntry(field, object);
        return;
      default:
        return field.shape satisfies never;
    }
  }

  #single(field: FieldPlan, object: Fields, isFirst: boolean): void {
    const sent = isFirst ? undefined : object[field.name];
    const value = this.#value(field.element, sent);
    if (!field.omitZero || !isZero(value)) object[field.name] = value;
    else if (sent !== undefined) delete object[field.name];
  }

  #inline({ struct }: ElementPlan, object: Fields, isFirst: boolean): void {
    const outerEnd = this.#reader.enter();
    this.#fields(struct, object, isFirst);
    this.#reader.leave(outerEnd);
  }

  /** Numbers one after the other without tags, which proto3 writes and Go reads. */
  #packed(field: FieldPlan, object: Fields): void {
    const outerEnd = this.#reader.enter();
    while (this.#reader.hasMore) listOf(field, object).push(this.#value(field.element));
    this.#reader.leave(outerEnd);
  }

  #mapEntry(field: FieldPlan, object: Fields): void {
    const reader = this.#reader;
    const map = (object[field.name] ??= {}) as Fields;
    let key = "";
    let value: JsonValue | undefined;
    const outerEnd = reader.enter();
    for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
      if (number > 2) {
        reader.skip();
        continue;
      }
      reader.expect(wire.bytes, `${field.name}, an entry of a map,`);
      if (number === 1) key = reader.string();
      else value = this.#value(field.element);
    }
    reader.leave(outerEnd);
    setKey(map, key, value ?? this.#zero(field.element));
  }

  #value(element: ElementPlan, sent?: JsonValue): JsonValue {
    const reader = this.#reader;
    switch (element.type) {
      case "string":
        return reader.string();
      case "struct":
        return this.#nested(element, sent);
      case "bool":
        return reader.bool();
      case "int32":
        return reader.int32();
      case "int64":
        return reader.int64();
      case "float64":
        return reader.float64();
      case "bytes":
        return reader.base64();
      case "time":
        return readTime(reader, "seconds");
      case "microTime":
        return readTime(reader, "microseconds");
      case "quantity":
        return readQuantity(reader);
      case "intOrString":
        return readIntOrString(reader);
      case "json":
        return readJson(reader);
      case "wrapped":
        return readWrappedStrings(reader, []);
      case "schemaOrArray":
      case "schemaOrBool":
      case "schemaOrStrings":
        return this.#schemaOr(element);
      default:
        return element.type satisfies never;
    }
  }

  #nested({ struct }: ElementPlan, sent: JsonValue | undefined): Fields {
    const outerEnd = this.#reader.enter();
    const object = (sent ?? {}) as Fields;
    this.struct(struct, object, sent === undefined);
    this.#reader.leave(outerEnd);
    return object;
  }

  /** The schema has field 1, or 2 where the alternative is a boolean; a list that is not empty wins over the schema. */
  #schemaOr(element: ElementPlan): JsonValue {
    const reader = this.#reader;
    const schemaNumber = element.type === "schemaOrBool" ? 2 : 1;
    let schema: JsonValue = null;
    let allows = false;
    const list: JsonValue[] = [];
    const outerEnd = reader.enter();
    for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
      if (number > 2) {
        reader.skip();
        continue;
      }
      const isBool = element.type === "schemaOrBool" && number === 1;
      reader.expect(isBool ? wire.varint : wire.bytes, `${number} of ${element.type}`);
      if (number === schemaNumber) schema = this.#nested(element, schema);
      else if (isBool) allows = reader.bool();
      else list.push(element.type === "schemaOrArray" ? this.#nested(element, undefined) : reader.string());
    }
    reader.leave(outerEnd);
    if (list.length > 0) return list;
    return schema ?? (element.type === "schemaOrBool" ? allows : null);
  }

  #zero(element: ElementPlan): JsonValue {
    switch (element.type) {
      case "string":
      case "bytes":
        return "";
      case "bool":
      case "schemaOrBool":
        return false;
      case "int32":
      case "int64":
      case "float64":
      case "intOrString":
        return 0;
      case "quantity":
        return "0";
      case "struct":
        return this.#complete(element.struct, {});
      case "wrapped":
        return [];
      case "time":
      case "microTime":
      case "json":
      case "schemaOrArray":
      case "schemaOrStrings":
        return null;
      default:
        return element.type satisfies never;
    }
  }
}

function listOf<T extends JsonValue>(field: FieldPlan, object: Fields): T[] {
  return (object[field.name] ??= []) as T[];
}

function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false || value === null;
}

/** A map's keys come from the client: `__proto__` is one like any other. */
function setKey(map: Fields, key: string, value: JsonValue): void {
  if (key === "__proto__") Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}
