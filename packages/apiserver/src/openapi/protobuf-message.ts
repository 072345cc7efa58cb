import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { ProtobufWriter } from "./protobuf-writer.ts";

/** Writes a value as the content of a message: as one field of it, as several, or none if the value is not of the right type. */
export type WriteMessage = (out: ProtobufWriter, value: JsonValue) => void;

/** A message with a field for each key of an object. Other keys are left out, but for `x-…`, all of which go into one field. */
export function message(fields: Readonly<Record<string, WriteMessage>>, extensions: number): WriteMessage {
  const writers = new Map(Object.entries(fields));
  const writeExtension = named(extensions, anyValue);
  return (out, value) => {
    for (const [key, part = null] of entriesOf(value)) {
      if (key.startsWith("x-")) writeExtension(out, { [key]: part });
      else writers.get(key)?.(out, part);
    }
  };
}

/** A field that is a message. */
export function nested(number: number, write: WriteMessage): WriteMessage {
  return (out, value) => {
    const { size } = out;
    write(out, value);
    out.delimit(number, size);
  };
}

/** A list, each item of which is a field. */
export function each(write: WriteMessage): WriteMessage {
  return (out, value) => {
    for (const item of isJsonArray(value) ? value.toReversed() : []) write(out, item);
  };
}

/** An object, each entry of which is a message of a name and a value. */
export function named(number: number, write: WriteMessage): WriteMessage {
  const [writeName, writeValue] = [text(1), nested(2, write)];
  return (out, value) => {
    for (const [name, part = null] of entriesOf(value)) {
      const { size } = out;
      writeValue(out, part);
      writeName(out, name);
      out.delimit(number, size);
    }
  };
}

/** A field of text. */
export function text(number: number): WriteMessage {
  return (out, value) => {
    if (typeof value !== "string") return;
    const { size } = out;
    out.text(value);
    out.delimit(number, size);
  };
}

/** A field that is true or false. */
export function flag(number: number): WriteMessage {
  return (out, value) => {
    out.varint(value === true ? 1 : 0);
    out.tag(number, 0);
  };
}

/** A field of an integer; lengths and counts are never negative. */
export function count(number: number): WriteMessage {
  return (out, value) => {
    out.varint(Math.max(0, Number(value)));
    out.tag(number, 0);
  };
}

/** A field of a 64-bit floating-point number. */
export function double(number: number): WriteMessage {
  return (out, value) => {
    out.double(Number(value));
    out.tag(number, 1);
  };
}

/** Any JSON, which is carried as YAML, of which it is a part. */
export const anyValue: WriteMessage = (out, value) => text(2)(out, stringifyJson(value));

/** The last comes first, since messages are written from their end. */
function entriesOf(value: JsonValue): readonly (readonly [name: string, part: JsonValue | undefined])[] {
  return Object.entries(isJsonObject(value) ? value : {}).toReversed();
}
