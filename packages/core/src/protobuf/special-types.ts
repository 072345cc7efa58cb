import { parseJson } from "../json/json.ts";
import type { JsonValue } from "../json/json.ts";
import { wire } from "./reader.ts";
import type { ProtobufReader } from "./reader.ts";
import { Quantity } from "../scalar/quantity.ts";
import { formatRfc3339 } from "../scalar/rfc3339.ts";

/** `0001-01-01T00:00:00Z`, which Go takes for no time at all. */
const zeroTime = -62_135_596_800;

/** Reads a `Time`, which JSON has in whole seconds, or a `MicroTime`, which it has in microseconds; null for the zero time. */
export function readTime(reader: ProtobufReader, precision: "seconds" | "microseconds"): string | null {
  let seconds: number | bigint = 0;
  let nanos = 0;
  const outerEnd = reader.enter();
  const isZero = !reader.hasMore;
  for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
    if (number > 2) {
      reader.skip();
      continue;
    }
    reader.expect(wire.varint, `${number} of a time`);
    if (number === 1) seconds = reader.int64();
    else nanos = reader.int32();
  }
  reader.leave(outerEnd);
  if (isZero) return null;
  if (typeof seconds === "bigint") throw reader.error(`${seconds} seconds are no time`);
  if (precision === "seconds") return seconds === zeroTime ? null : formatRfc3339({ seconds, nanos: 0 }, 0);
  const carried = Math.floor(nanos / 1e9);
  const instant = { seconds: seconds + carried, nanos: nanos - carried * 1e9 };
  return instant.seconds === zeroTime && instant.nanos < 1000 ? null : formatRfc3339(instant, 6);
}

/** A number below 1000 with a suffix is as Go would write it; anything else is parsed and written anew. */
const canonicalQuantity = /^[1-9]\d{0,2}(?:m|k|[MGT]|[KMGT]i)?$/;

/** Reads a quantity and writes it in its canonical form. */
export function readQuantity(reader: ProtobufReader): string {
  const text = readOnlyField(reader, "a quantity");
  if (text === undefined) return "0";
  if (canonicalQuantity.test(text)) return text;
  try {
    return Quantity.parse(text).toString();
  } catch (cause) {
    throw reader.error(`${JSON.stringify(text)} is not a quantity`, cause);
  }
}

/** Reads JSON that is carried as bytes; null when there are none. */
export function readJson(reader: ProtobufReader): JsonValue {
  const text = readOnlyField(reader, "embedded JSON");
  if (text === undefined || text === "") return null;
  try {
    return parseJson(text);
  } catch (cause) {
    throw reader.error("embedded JSON cannot be parsed", cause);
  }
}

/** Reads a number or a text; the wire has both and says which counts. */
export function readIntOrString(reader: ProtobufReader): number | string {
  let isText = false;
  let integer = 0;
  let text = "";
  const outerEnd = reader.enter();
  for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
    if (number > 3) {
      reader.skip();
      continue;
    }
    reader.expect(number === 3 ? wire.bytes : wire.varint, `${number} of an integer or string`);
    if (number === 1) isText = reader.bool();
    else if (number === 2) integer = reader.int32();
    else text = reader.string();
  }
  reader.leave(outerEnd);
  return isText ? text : integer;
}

/** Reads a list that is a message of its own. */
export function readWrappedStrings(reader: ProtobufReader, into: string[]): string[] {
  const outerEnd = reader.enter();
  for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
    if (number === 1) {
      reader.expect(wire.bytes, "items");
      into.push(reader.string());
    } else reader.skip();
  }
  reader.leave(outerEnd);
  return into;
}

function readOnlyField(reader: ProtobufReader, what: string): string | undefined {
  let text: string | undefined;
  const outerEnd = reader.enter();
  for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
    if (number === 1) {
      reader.expect(wire.bytes, `1 of ${what}`);
      text = reader.string();
    } else reader.skip();
  }
  reader.leave(outerEnd);
  return text;
}
