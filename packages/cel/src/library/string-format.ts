import { compareGoStrings, quote } from "@kaji/core/go";
import { doubleText, durationText } from "../value/go-text.ts";
import { itemsOf } from "../value/list-value.ts";
import { bytesToText } from "../value/text.ts";
import { formatTimestamp } from "../value/timestamp.ts";
import { Double, ErrorValue, Uint, isError, isInt, kindOf, typeNameOf } from "../value/value.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";

/** A `%` in a format with what follows it. */
export interface Clause {
  readonly verb: "s" | "d" | "f" | "e" | "b" | "x" | "X" | "o";
  readonly precision: number | undefined;
}

/** A format, read: texts and clauses in turn. An error in it is found when its place is reached. */
export type FormatPart = string | Clause | ErrorValue;

const mostDigits = 10_000;

/** Reads a format such as `%s is %.2f`. */
export function readFormat(format: string): readonly FormatPart[] {
  const parts: FormatPart[] = [];
  for (const [all, text = "", percent, dot, digits = "", verb = ""] of format.matchAll(/([^%]+)|(%%)|%(?:(\.)(\d*))?([^])?/gu)) {
    if (text !== "" || percent !== undefined) parts.push(text === "" ? "%" : text);
    else parts.push(clauseOf(all, dot !== undefined, digits, verb));
  }
  return parts;
}

function clauseOf(all: string, hasPrecision: boolean, digits: string, verb: string): Clause | ErrorValue {
  if (all === "%") return new ErrorValue("unexpected end of string");
  const problem = "could not parse formatting clause:";
  if (hasPrecision && verb === "")
    return new ErrorValue(`${problem} error while parsing precision: could not find end of precision specifier`);
  if (hasPrecision && (digits === "" || Number(digits) > mostDigits)) {
    const reason = digits === "" ? "invalid syntax" : "value out of range";
    return new ErrorValue(
      `${problem} error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing ${quote(digits)}: ${reason}`,
    );
  }
  if (!isVerb(verb)) return new ErrorValue(`${problem} unrecognized formatting clause "${verb}"`);
  return { verb, precision: hasPrecision ? Number(digits) : undefined };
}

function isVerb(verb: string): verb is Clause["verb"] {
  return verb.length === 1 && "sdfebxXo".includes(verb);
}

/** `'%s is %d'.format([a, 1])`. */
export function formatText(format: string, args: ListValue): Value {
  const values = itemsOf(args);
  let result = "";
  let index = 0;
  for (const part of readFormat(format)) {
    if (typeof part === "string") {
      result += part;
      continue;
    }
    const value = values[index];
    if (value === undefined) return new ErrorValue(`index ${index} out of range`);
    if (isError(part)) return part;
    const text = formatClause(part, value);
    if (isError(text)) return new ErrorValue(`error during formatting: ${text.message}`);
    result += text;
    index++;
  }
  return result;
}

function formatClause({ verb, precision = 6 }: Clause, value: Value): string | ErrorValue {
  switch (verb) {
    case "s":
      return formatValue(value);
    case "d":
      return wholeOf(value)?.toString() ?? clauseError("d", typeNameOf(value));
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : (wholeOf(value)?.toString(2) ?? clauseError("b", typeNameOf(value)));
    case "o":
      return wholeOf(value)?.toString(8) ?? clauseError("o", typeNameOf(value));
    case "x":
    case "X": {
      const digits = hexOf(value) ?? clauseError("x", typeNameOf(value));
      return isError(digits) || verb === "x" ? digits : digits.toUpperCase();
    }
    case "f":
    case "e": {
      const number = doubleOf(value) ?? clauseError(verb, typeNameOf(value));
      if (isError(number)) return number;
      if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
      return verb === "f" ? localized(number, precision) : scientific(number, precision);
    }
    default:
      return verb satisfies never;
  }
}

/** Why a value cannot be written by a clause. */
export function clauseError(verb: Clause["verb"], type: string): ErrorValue {
  return new ErrorValue(`${clauseRules[verb]}, was given ${type}`);
}

const hexRule = "only integers, byte buffers, and strings can be formatted as hex";
const clauseRules: Readonly<Record<Clause["verb"], string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  x: hexRule,
  X: hexRule,
  o: "octal clause can only be used on integers",
};

function formatValue(value: Value): string | ErrorValue {
  if (value === null) return "null";
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return textOf(value);
  switch (value.kind) {
    case "list":
      return formatList(value);
    case "map":
      return formatMap(value);
    case "double":
      return doubleText(value.value);
    case "uint":
      return String(value.value);
    case "timestamp":
      return formatTimestamp(value);
    case "duration":
      return durationText(value.nanos);
    case "type":
      return value.name;
    default:
      return clauseError("s", typeNameOf(value));
  }
}

function formatList(list: ListValue): string | ErrorValue {
  const parts: string[] = [];
  for (const item of itemsOf(list)) {
    const part = formatMember(item);
    if (isError(part)) return part;
    parts.push(part);
  }
  return `[${parts.join(", ")}]`;
}

function formatMap(map: MapValue): string | ErrorValue {
  const pairs: (readonly [string, string])[] = [];
  for (const key of map.keys()) {
    if (!["string", "bool", "int", "uint"].includes(kindOf(key)))
      return new ErrorValue(`no formatting function for map key of type ${typeNameOf(key)}`);
    const [shown, value] = [formatMember(key), formatMember(map.find(key) ?? null)];
    if (isError(shown)) return shown;
    if (isError(value)) return value;
    pairs.push([shown, value]);
  }
  const sorted = pairs.toSorted(([left], [right]) => compareGoStrings(left, right));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(", ")}}`;
}

/** Inside of a list or map, what is text is quoted. */
function formatMember(value: Value): string | ErrorValue {
  if (typeof value === "string") return quote(value);
  switch (kindOf(value)) {
    case "bytes": {
      const text = textOf(value as Uint8Array);
      return isError(text) ? text : `b${quote(text)}`;
    }
    case "timestamp":
    case "duration": {
      const text = formatValue(value);
      return isError(text) ? text : `${kindOf(value)}(${quote(text)})`;
    }
    case "double": {
      const { value: number } = value as Double;
      return Number.isFinite(number) ? fixed(number, 6) : quote(doubleText(number));
    }
    case "optional":
    case "opaque":
    case "error":
      return new ErrorValue(`no formatting function for ${typeNameOf(value)}`);
    default:
      return formatValue(value);
  }
}

function wholeOf(value: Value): bigint | undefined {
  if (isInt(value)) return BigInt(value);
  return value instanceof Uint ? value.value : undefined;
}

function hexOf(value: Value): string | undefined {
  if (typeof value === "string") return Buffer.from(value, "utf8").toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : wholeOf(value)?.toString(16);
}

function doubleOf(value: Value): number | undefined {
  if (value instanceof Double) return value.value;
  const named: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, "-Infinity": -Infinity };
  return typeof value === "string" && Object.hasOwn(named, value) ? named[value] : undefined;
}

function textOf(bytes: Uint8Array): string | ErrorValue {
  const text = bytesToText(bytes);
  return isError(text) ? new ErrorValue(`could not convert argument ${quote(text.message)} to string`) : text;
}

/** A double that is a tie at one of twenty digits has no more digits than this. */
const enoughForTies = 60;

/** As Go writes it: a tie goes to the even digit, where JavaScript goes up. */
function fixed(value: number, precision: number): string {
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${precision === 0 ? "" : `.${"0".repeat(precision)}`}`;
  const digits = value.toFixed(Math.min(precision, 100)).padEnd(precision > 100 ? precision - 100 : 0, "0");
  if (precision > 20) return digits;
  const exact = value.toFixed(enoughForTies);
  const point = exact.indexOf(".") + 1 + precision;
  const isTie = /^50*$/.test(exact.slice(point));
  const kept = exact.slice(0, point).replace(/\.$/, "");
  return isTie && /[02468]$/.test(kept) ? kept : digits;
}

/** In the English locale, as in the server: thousands are grouped. */
function localized(value: number, precision: number): string {
  const [whole = "", fraction] = fixed(value, precision).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Always six digits: upstream passes the precision as the width, and so does this. */
function scientific(value: number, width: number): string {
  const [digits = "", exponent = "0"] = value.toExponential(6).split("e");
  const power = String(Math.abs(Number(exponent))).padStart(2, "0");
  return `${digits}×10${superscript(`${Number(exponent) < 0 ? "-" : ""}${power}`)}`.padStart(width);
}

function superscript(text: string): string {
  return Array.from(text, (letter) => (letter === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(letter)] ?? letter))).join("");
}
