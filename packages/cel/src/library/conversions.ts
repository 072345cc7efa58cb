import { ParseError, parseDuration } from "@kaji/core";
import { declare, overload } from "../check/declaration.ts";
import type { FunctionDeclaration, Overload } from "../check/declaration.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  timestampType,
  typeOfType,
  typeParam,
  uintType,
} from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { doubleText, durationText } from "../value/go-text.ts";
import { intFromDouble, intOf, uintFromDouble, uintOf } from "../value/int-arithmetic.ts";
import { bytesToText, codePointCount } from "../value/text.ts";
import { formatTimestamp, parseTimestamp, timestampOf } from "../value/timestamp.ts";
import { Double, Duration, ErrorValue, TypeValue, isError, isList, isMap, noOverloadOf, typeNameOf } from "../value/value.ts";
import type { Int, Uint, Value } from "../value/value.ts";

const a = typeParam("A");

/** Conversions between the types of the language, and the size of things. */
export const conversions: readonly FunctionDeclaration[] = [
  declare(
    "type",
    overload("type", [a], typeOfType(a), (value) => new TypeValue(typeNameOf(value))),
  ),
  declare(
    "dyn",
    overload("to_dyn", [a], dynType, (value) => value),
  ),
  declare("bool", identity("bool_to_bool", boolType), overload("string_to_bool", [stringType], boolType, parseBool)),
  declare(
    "bytes",
    identity("bytes_to_bytes", bytesType),
    overload("string_to_bytes", [stringType], bytesType, (text) => Buffer.from(text, "utf8")),
  ),
  declare(
    "double",
    identity("double_to_double", doubleType),
    overload("int64_to_double", [intType], doubleType, (value) => new Double(Number(value))),
    overload("string_to_double", [stringType], doubleType, parseDouble),
    overload("uint64_to_double", [uintType], doubleType, ({ value }) => new Double(Number(value))),
  ),
  declare(
    "duration",
    identity("duration_to_duration", durationType),
    overload("int64_to_duration", [intType], durationType, () => conversionError("int", "google.protobuf.Duration")),
    overload("string_to_duration", [stringType], durationType, readDuration),
  ),
  declare(
    "int",
    identity("int64_to_int64", intType),
    overload("double_to_int64", [doubleType], intType, ({ value }) => intFromDouble(value)),
    overload("duration_to_int64", [durationType], intType, ({ nanos }) => intOf(nanos)),
    overload("string_to_int64", [stringType], intType, (text) => parseInteger(text, /^[+-]?\d+$/, "int", intOf)),
    overload("timestamp_to_int64", [timestampType], intType, ({ seconds }) => seconds),
    overload("uint64_to_int64", [uintType], intType, ({ value }) => intOf(value)),
  ),
  declare(
    "string",
    identity("string_to_string", stringType),
    overload("bool_to_string", [boolType], stringType, String),
    overload("bytes_to_string", [bytesType], stringType, bytesToText),
    overload("double_to_string", [doubleType], stringType, ({ value }) => doubleText(value)),
    overload("duration_to_string", [durationType], stringType, ({ nanos }) => durationText(nanos)),
    overload("int64_to_string", [intType], stringType, String),
    overload("timestamp_to_string", [timestampType], stringType, formatTimestamp),
    overload("uint64_to_string", [uintType], stringType, ({ value }) => String(value)),
  ),
  declare(
    "timestamp",
    identity("timestamp_to_timestamp", timestampType),
    overload("int64_to_timestamp", [intType], timestampType, (seconds) => timestampOf(seconds)),
    overload("string_to_timestamp", [stringType], timestampType, readTimestamp),
  ),
  declare(
    "uint",
    identity("uint64_to_uint64", uintType),
    overload("double_to_uint64", [doubleType], uintType, ({ value }) => uintFromDouble(value)),
    overload("int64_to_uint64", [intType], uintType, intToUint),
    overload("string_to_uint64", [stringType], uintType, (text) => parseInteger(text, /^\d+$/, "uint", uintOf)),
  ),
  { name: "size", overloads: sizes(), isOperator: true },
];

function identity(id: string, type: Type): Overload {
  return overload(id, [type], type, (value) => value);
}

const noSize = noOverloadOf("size");

function sizeOf(value: Value = null): Value {
  if (typeof value === "string") return codePointCount(value);
  if (typeof value !== "object" || value === null) return noSize(value);
  if (value instanceof Uint8Array) return value.length;
  return isList(value) || isMap(value) ? value.size : noSize(value);
}

function sizes(): Overload[] {
  const types: Readonly<Record<string, Type>> = {
    bytes: bytesType,
    list: listType(a),
    map: mapType(a, typeParam("B")),
    string: stringType,
  };
  return Object.entries(types).flatMap(([name, type]) => {
    const form = { parameters: [type], result: intType, call: sizeOf };
    return [
      { ...form, id: `size_${name}`, isMember: false },
      { ...form, id: `${name}_size`, isMember: true },
    ];
  });
}

function conversionError(from: string, to: string): ErrorValue {
  return new ErrorValue(`type conversion error from '${from}' to '${to}'`);
}

function parseBool(text: string): Value {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  return ["0", "f", "F", "false", "FALSE", "False"].includes(text) ? false : conversionError("string", "bool");
}

function parseInteger(text: string, form: RegExp, type: "int" | "uint", make: (value: bigint) => Value): Value {
  const value = form.test(text) ? make(BigInt(text.replace(/^\+/, ""))) : undefined;
  return value === undefined || isError(value) ? conversionError("string", type) : value;
}

const digits = String.raw`\d+(?:_\d+)*`;
const decimalDouble = new RegExp(`^[+-]?(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:[eE][+-]?${digits})?$`);
const hexDouble = /^([+-]?)0[xX]_?([\da-fA-F]+(?:_[\da-fA-F]+)*)?(?:\.([\da-fA-F]*))?[pP]([+-]?\d+)$/;

/** In all the forms that Go reads. */
function parseDouble(text: string): Value {
  const [, sign = "", special] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (special !== undefined) {
    if (/nan/i.test(special)) return sign === "" ? new Double(Number.NaN) : conversionError("string", "double");
    return new Double(sign === "-" ? -Infinity : Infinity);
  }
  const value = decimalDouble.test(text) ? Number(text.replaceAll("_", "")) : parseHexDouble(text);
  return Number.isFinite(value) ? new Double(value) : conversionError("string", "double");
}

function parseHexDouble(text: string): number {
  const [all, sign = "", whole = "", fraction = "", power = "0"] = hexDouble.exec(text) ?? [];
  if (all === undefined || whole + fraction === "") return Number.NaN;
  const mantissa = Number(BigInt(`0x${whole.replaceAll("_", "")}${fraction}`));
  return mantissa * 2 ** (Number(power) - 4 * fraction.length) * (sign === "-" ? -1 : 1);
}

function readDuration(text: string): Value {
  try {
    return new Duration(parseDuration(text));
  } catch (error) {
    if (error instanceof ParseError) return conversionError("string", "google.protobuf.Duration");
    throw error;
  }
}

function readTimestamp(text: string): Value {
  return parseTimestamp(text) ?? conversionError("string", "google.protobuf.Timestamp");
}

function intToUint(value: Int): Uint | ErrorValue {
  return uintOf(BigInt(value));
}
