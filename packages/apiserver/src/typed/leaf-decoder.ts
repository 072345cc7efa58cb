import { ParseError, Quantity, canonicalMicroTime, canonicalTime, stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { FieldType, LeafType } from "@kaji/core/protobuf";
import { DecodeError } from "../object-schema.ts";

const int32Limit = 2 ** 31;
/** Quantities of which it is plain to see that they are in canonical form: nearly all. */
const plainQuantity = /^(?:0|[1-9]\d{0,2}(?:[numkMGTPE]|[KMG]i)?)$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reads a value without parts. `wrongType` makes the refusal for a value of another type. */
export function decodeLeaf(value: JsonValue, type: LeafType, wrongType: () => DecodeError): JsonValue {
  switch (type) {
    case "string":
      if (typeof value !== "string") throw wrongType();
      return value;
    case "bool":
      if (typeof value !== "boolean") throw wrongType();
      return value;
    case "int32":
      if (!isInt32(value)) throw wrongType();
      return value;
    case "int64":
      if (typeof value !== "bigint" && !(typeof value === "number" && Number.isSafeInteger(value))) throw wrongType();
      return value;
    case "float64":
      if (typeof value !== "number" && typeof value !== "bigint") throw wrongType();
      return value;
    case "bytes":
      return decodeBytes(value, wrongType);
    case "time":
      return inGosWords(value, wrongType, canonicalTime);
    case "microTime":
      return inGosWords(value, wrongType, canonicalMicroTime);
    case "quantity":
      if (typeof value === "string" && plainQuantity.test(value)) return value;
      return inGosWords(typeof value === "string" ? value : stringifyJson(value), wrongType, (text) => Quantity.parse(text).toString());
    case "intOrString":
      if (typeof value !== "string" && !isInt32(value)) throw wrongType();
      return value;
    case "any":
    case "json":
    case "fieldsV1":
    case "rawExtension":
      return value;
    default:
      return type satisfies never;
  }
}

function isInt32(value: JsonValue): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= -int32Limit && value < int32Limit;
}

/** Whether Go leaves the reading of such values to the type, whose refusal is final. */
export function hasOwnParser(type: LeafType): boolean {
  return type === "time" || type === "microTime" || type === "quantity" || type === "intOrString";
}

/** Go's zero value of a type, as JSON. */
export function zeroOf({ type }: FieldType): JsonValue {
  switch (type) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
    case "intOrString":
      return 0;
    case "quantity":
      return "0";
    default:
      return null;
  }
}

function decodeBytes(value: JsonValue, wrongType: () => DecodeError): JsonValue {
  if (typeof value !== "string") throw wrongType();
  // Go passes over line breaks in base64.
  const text = value.replaceAll(/[\r\n]/g, "");
  if (base64.test(text)) return text;
  const problem = `illegal base64 data at input byte ${firstWrongByte(text)}`;
  throw new DecodeError(problem, { conversion: `error decoding from json: ${problem}` });
}

function firstWrongByte(text: string): number {
  const wrong = text.search(/[^A-Za-z0-9+/]/);
  return wrong < 0 ? text.length - (text.length % 4) : wrong;
}

function inGosWords(value: JsonValue, wrongType: () => DecodeError, parse: (text: string) => JsonValue): JsonValue {
  if (typeof value !== "string") throw wrongType();
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof ParseError) throw new DecodeError(error.message);
    throw error;
  }
}
