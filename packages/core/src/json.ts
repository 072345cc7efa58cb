/** Any JSON value. An integer that a number cannot hold exactly is a bigint. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Node has it, ECMAScript 2024 does not describe it yet. */
const { rawJSON } = JSON as JSON & { readonly rawJSON: (text: string) => object };

/** Below this many digits in a row every integer is exact as a number. */
const longInteger = /\d{16}/;

/**
 * Parses JSON so that 64-bit integers survive: what a number cannot hold exactly becomes a bigint.
 * Text without a long run of digits, which is nearly all of it, goes through `JSON.parse` alone.
 */
export function parseJson(text: string): JsonValue {
  return longInteger.test(text) ? JSON.parse(text, reviveInteger) : JSON.parse(text);
}

/** Writes JSON; bigints are written as the integers they are. */
export function stringifyJson(value: unknown, space?: number): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    // JSON.stringify refuses bigints with a TypeError: only then is the slower path taken.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, replaceInteger, space);
  }
}

function reviveInteger(_key: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (!/^-?\d+$/.test(source)) return value;
  const exact = BigInt(source);
  // Beyond 64 bits Kubernetes too falls back to a floating-point number.
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

function replaceInteger(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJSON(String(value)) : value;
}
