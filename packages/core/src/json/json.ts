import { fitsInt64 } from "../scalar/int64.ts";

/** Any JSON value. An integer beyond ±(2^53-1), which a number might not hold exactly, is a bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject;

/** A JSON array. */
export type JsonArray = readonly JsonValue[];

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Node has it, ECMAScript 2024 does not describe it yet. */
const { rawJSON } = JSON as JSON & { readonly rawJSON: (text: string) => object };

/** Every integer of fewer digits is exact as a number. */
const manyDigits = 16;
/** No int64 has more than nineteen. */
const longInteger = /^-?\d{16,19}$/;
/** Such an integer inside a text. Runs of digits are common in strings, as in the digest of an image, but rarely look like a value. */
const longValue = /[:,[\s]-?\d{16,19}[,\]}\s]/;
const lonelyNumber = /^\s*-?\d/;

/**
 * Parses JSON so that 64-bit integers survive: what a number might not hold exactly becomes a bigint.
 * Text without a long integer, which is nearly all of it, goes through `JSON.parse` alone.
 */
export function parseJson(text: string): JsonValue {
  const mayBeLong = hasManyDigits(text) && (longValue.test(text) || lonelyNumber.test(text));
  return mayBeLong ? JSON.parse(text, reviveInteger) : JSON.parse(text);
}

/** Writes JSON; bigints are written as the integers they are, and what JSON cannot write as null. */
export function stringifyJson(value: unknown, space?: number): string {
  return stringify(value, space) ?? "null";
}

/** Whether a value is an array; unlike `Array.isArray` it keeps the array readonly. */
export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Whether a value is an object, and neither an array nor null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value);
}

/** The same for a value that may be none of JSON. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether many digits stand in a row somewhere. Only every sixteenth character is looked at: no such row is between them. */
function hasManyDigits(text: string): boolean {
  for (let at = manyDigits - 1; at < text.length; at += manyDigits) {
    if (!isDigit(text, at)) continue;
    let start = at;
    let end = at + 1;
    while (isDigit(text, start - 1)) start--;
    while (isDigit(text, end)) end++;
    if (end - start >= manyDigits) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function stringify(value: unknown, space: number | undefined): string | undefined {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    // JSON.stringify refuses bigints with a TypeError: only then is the slower path taken.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, replaceInteger, space);
  }
}

function reviveInteger(_key: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !longInteger.test(source)) return value;
  const exact = BigInt(source);
  // Beyond 64 bits Kubernetes too falls back to a floating-point number.
  return fitsInt64(exact) ? exact : value;
}

function replaceInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJSON(String(value)) : value;
}
