import { MalformedJsonError } from "./malformed-json-error.ts";

/** How deep a document may be nested; Go's decoder, and so every API server, refuses more. */
const deepest = 10_000;
/** How many open containers fit into the bits of one number. */
const nestingBits = 31;

/**
 * Steps over the JSON value that begins at `start`, checks its grammar, and returns the offset behind it.
 *
 * The text has no end here: a value that is cut off fails at whatever follows it, or is found by its caller to end too late.
 */
export function skipValue(bytes: Buffer, start: number, depth = 0): number {
  let at = start;
  /** One bit per open container, the innermost last: 1 for an object, 0 for an array. */
  let containers = 0;
  let open = 0;
  for (;;) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = skipString(bytes, at);
    else if (byte === openBrace || byte === openBracket) {
      const inside = skipSpace(bytes, at + 1);
      // In ASCII a closing bracket or brace is its opening one plus two.
      if (bytes[inside] === byte + 2) at = inside + 1;
      else if (open === nestingBits) at = skipDeeper(bytes, at, depth + open);
      else {
        containers = (containers << 1) | (byte === openBrace ? 1 : 0);
        open++;
        at = byte === openBrace ? skipKey(bytes, inside) : inside;
        continue;
      }
    } else at = skipScalar(bytes, at);
    for (;;) {
      if (open === 0) return at;
      const next = bytes[at] ?? 0;
      const inObject = (containers & 1) === 1;
      if (next === comma) {
        at = skipSpace(bytes, at + 1);
        if (inObject) at = skipKey(bytes, at);
        break;
      }
      if (next === (inObject ? closeBrace : closeBracket)) {
        containers >>>= 1;
        open--;
      } else if (!isSpace(next)) malformed("expected a comma or the end of the container", at);
      at++;
    }
  }
}

/** Is shown a field as a scan comes by it: its name, quotes included, is between the first two offsets. Returns the offset behind the value. */
export type FieldVisit = (nameStart: number, nameEnd: number, valueStart: number) => number;

/** Steps over the object at `start`, and shows each of its fields. */
export function visitFields(bytes: Buffer, start: number, visit: FieldVisit): number {
  let at = openObject(bytes, start);
  if (bytes[at] === closeBrace) return at + 1;
  for (; ; at = skipSpace(bytes, at + 1)) {
    const nameEnd = skipString(bytes, at);
    at = skipSpace(bytes, visit(at, nameEnd, skipColon(bytes, nameEnd)));
    if (closesObject(bytes, at)) return at + 1;
  }
}

/** Steps over the brace that opens an object, up to its first field or its end. */
export function openObject(bytes: Buffer, start: number): number {
  if (bytes[start] !== openBrace) malformed("expected an object", start);
  return skipSpace(bytes, start + 1);
}

/** Whether an object ends here, behind a value; if not, there is a comma. */
export function closesObject(bytes: Buffer, at: number): boolean {
  if (bytes[at] === closeBrace) return true;
  if (bytes[at] !== comma) malformed("expected a comma or the end of the object", at);
  return false;
}

/** Steps over the list at `start`. Each of its items is shown to the visitor, which returns the offset behind it. */
export function visitItems(bytes: Buffer, start: number, visit: (itemStart: number) => number): number {
  if (bytes[start] !== openBracket) malformed("expected an array", start);
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === closeBracket) return at + 1;
  for (; ; at = skipSpace(bytes, at + 1)) {
    at = skipSpace(bytes, visit(at));
    if (bytes[at] === closeBracket) return at + 1;
    if (bytes[at] !== comma) malformed("expected a comma or the end of the array", at);
  }
}

/** Steps over the string whose opening quote is at `start`. */
export function skipString(bytes: Buffer, start: number): number {
  let at = start;
  if (bytes[at] !== quote) malformed("expected a string", at);
  for (;;) {
    let byte = bytes[++at] ?? 0;
    while (byte !== quote && byte !== backslash && byte >= space) byte = bytes[++at] ?? 0;
    if (byte === quote) return at + 1;
    if (byte !== backslash) malformed("unterminated string", at);
    at = lastOfEscape(bytes, at + 1);
  }
}

/** Steps over a field's name and its colon, up to the value. */
function skipKey(bytes: Buffer, start: number): number {
  return skipColon(bytes, skipString(bytes, start));
}

/** Steps over the colon that follows a field's name, up to the value. */
export function skipColon(bytes: Buffer, start: number): number {
  let at = start;
  if (bytes[at] !== colon) at = skipSpace(bytes, at);
  if (bytes[at] !== colon) malformed("expected a colon after a field name", at);
  return skipSpace(bytes, at + 1);
}

/** Steps over white space, of which API servers send hardly any. */
export function skipSpace(bytes: Buffer, start: number): number {
  return (bytes[start] ?? 0) > space ? start : skipSpaces(bytes, start);
}

/** Refuses the bytes. */
export function malformed(problem: string, offset: number): never {
  throw new MalformedJsonError(problem, offset);
}

const quote = 0x22;
const comma = 0x2c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const backslash = 0x5c;
const space = 0x20;

function skipSpaces(bytes: Buffer, start: number): number {
  let at = start;
  while (isSpace(bytes[at] ?? 0)) at++;
  return at;
}

function skipDeeper(bytes: Buffer, start: number, depth: number): number {
  if (depth > deepest) malformed(`nested deeper than ${deepest} levels`, start);
  return skipValue(bytes, start, depth);
}

function skipScalar(bytes: Buffer, at: number): number {
  switch (bytes[at]) {
    case 0x74:
      return skipWord(bytes, at, "true");
    case 0x66:
      return skipWord(bytes, at, "false");
    case 0x6e:
      return skipWord(bytes, at, "null");
    default:
      return skipNumber(bytes, at);
  }
}

function skipWord(bytes: Buffer, start: number, word: string): number {
  for (let index = 1; index < word.length; index++) {
    if (bytes[start + index] !== word.charCodeAt(index)) malformed("expected a value", start);
  }
  return start + word.length;
}

function skipNumber(bytes: Buffer, start: number): number {
  let at = start;
  if (bytes[at] === 0x2d) at++;
  if (bytes[at] === 0x30) at++;
  else if (isDigit(bytes[at])) at = skipDigits(bytes, at);
  else malformed(at === start ? "expected a value" : "expected a digit", at);
  if (bytes[at] === 0x2e) at = skipDigits(bytes, at + 1);
  const exponent = bytes[at];
  if (exponent === 0x65 || exponent === 0x45) {
    const sign = bytes[at + 1];
    at = skipDigits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
  }
  return at;
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) malformed("expected a digit", at);
  return at;
}

/** Where an escape ends: `at` is behind its backslash. */
function lastOfEscape(bytes: Buffer, at: number): number {
  const letter = bytes[at] ?? 0;
  if (letter !== 0x75) {
    if (!escapable.includes(letter)) malformed("invalid escape", at);
    return at;
  }
  for (let index = 1; index <= 4; index++) if (!isHexDigit(bytes[at + index] ?? 0)) malformed("invalid unicode escape", at + index);
  return at + 4;
}

/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const escapable: readonly number[] = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74];

function isSpace(byte: number): boolean {
  return byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}
