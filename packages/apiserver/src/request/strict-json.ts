import { isJsonArray, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { goSyntaxError } from "./go-syntax-error.ts";
import { NumberTooLarge, hasInfinity } from "./number-too-large.ts";
import { mostComplaints } from "./parsed-body.ts";
import type { DuplicateField, ParsedBody } from "./parsed-body.ts";

/** Parses JSON that is to be kept as it is; see `readStrictJson`. A number that cannot be is refused wherever it stands. */
export function parseStrictJson(text: string): ParsedBody {
  const parsed = readStrictJson(text);
  if (parsed.tooLarge !== undefined) throw parsed.tooLarge;
  return parsed;
}

/**
 * Parses JSON and finds the fields that were given more than once, which `JSON.parse` passes over in silence.
 * Unless the text is just how the outcome is written, keys are counted in both; only when the counts differ is the text read again to name them.
 */
export function readStrictJson(text: string): ParsedBody {
  const value = parseInGosWords(text);
  const duplicates = isAsWritten(value, text) || countKeysInText(text) === countKeys(value) ? [] : findDuplicates(text);
  const isTooLarge = perhapsTooLarge.test(text) && hasInfinity(value);
  return isTooLarge ? { value, duplicates, tooLarge: new NumberTooLarge(tooLargeIn(text)) } : { value, duplicates };
}

/** Whether a value would be written as this text, as most programs do, and so has no field twice. Not told of texts in which it may be too deep. */
function isAsWritten(value: JsonValue, text: string): boolean {
  return text.length < deepest && stringifyJson(value) === text.trimEnd();
}

function parseInGosWords(text: string): JsonValue {
  try {
    const value = parseJson(text);
    return text.includes(byNumber) && surrogate.test(text) ? wellFormed(value) : value;
  } catch (error) {
    throw new SyntaxError(goSyntaxError(Buffer.from(text)) ?? "", { cause: error });
  }
}

/** What a number beyond all that can be kept has in it, and few other texts. */
const perhapsTooLarge = /[eE]\+?\d{3}|\d{309}/;

/** The first number that is too large, as it is written. */
function tooLargeIn(text: string): string {
  const literals = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? [];
  return literals.find((literal) => !Number.isFinite(Number(literal))) ?? "";
}

/** How a character is written as its number, which few texts do. */
const byNumber = "\\u";
/** Half a character, perhaps. */
const surrogate = /\\u[dD][89a-fA-F]/;

/** Go puts a replacement character where half a character is. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (isJsonArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field = null]) => [key.toWellFormed(), wellFormed(field)]));
}

/** Deeper values are refused, as on the real server: whatever walks them later may do so by recursion. */
const deepest = 10_000;

function countKeys(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const field of Object.values(value)) {
    count += 1;
    if (typeof field === "object" && field !== null) count += countKeys(field);
  }
  return count;
}

/** Every colon outside a string follows a key. The text is valid JSON. */
function countKeysInText(text: string): number {
  let count = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quotationMark) at = endOfString(text, at);
    else if (code === colon) count++;
    // The brackets of arrays and objects differ in one bit.
    else if ((code | 0x20) === openBrace && ++depth > deepest) throw new SyntaxError("exceeded max depth");
    else if ((code | 0x20) === closeBrace) depth--;
  }
  return count;
}

const quotationMark = 0x22;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Position of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}

const afterKey = /\s*:/y;

interface Level {
  readonly path: string;
  readonly keys: Set<string>;
  /** Position in a list; undefined in an object. */
  index: number | undefined;
  /** The key whose value is being read. */
  key: string;
}

/** Paths of repeated keys, such as `spec.containers[0].name`, of the first of them. The text is valid JSON. */
function findDuplicates(text: string): readonly DuplicateField[] {
  const found = new Set<string>();
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    const level = levels.at(-1);
    if (letter === "{" || letter === "[") {
      levels.push({ path: level === undefined ? "" : pathOf(level), keys: new Set(), index: letter === "[" ? 0 : undefined, key: "" });
    } else if (letter === "}" || letter === "]") {
      levels.pop();
    } else if (letter === "," && level?.index !== undefined) {
      level.index++;
    } else if (letter === '"') {
      const end = endOfString(text, at);
      afterKey.lastIndex = end + 1;
      if (level !== undefined && level.index === undefined && afterKey.test(text)) {
        level.key = String(JSON.parse(text.slice(at, end + 1)));
        if (level.keys.has(level.key)) found.add(pathOf(level));
        if (found.size === mostComplaints) break;
        level.keys.add(level.key);
      }
      at = end;
    }
  }
  return [...found].map((path) => ({ path, complaint: `duplicate field ${quote(path)}` }));
}

function pathOf({ path, index, key }: Level): string {
  if (index !== undefined) return `${path}[${index}]`;
  return path === "" ? key : `${path}.${key}`;
}
