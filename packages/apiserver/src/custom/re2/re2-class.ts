import type { ParseError } from "@kaji/core";
import { re2Error } from "./re2-error.ts";
import { characterSource, readEscape } from "./re2-escape.ts";

/** Characters as a JavaScript class, and how much of the pattern they took. */
export interface ClassSource {
  readonly source: string;
  readonly length: number;
}

/** Reads a class such as `[^a-z\d[:space:]]` at the start of a text. */
export function readClass(text: string): ClassSource {
  const isNegated = text[1] === "^";
  const members: string[] = [];
  let at = isNegated ? 2 : 1;
  for (const start = at; at === start || text[at] !== "]";) {
    const group = posixGroup(text.slice(at)) ?? classGroup(text.slice(at));
    if (group !== undefined) {
      members.push(group.source);
      at += group.length;
      continue;
    }
    const range = readRange(text, at);
    members.push(range.source);
    at += range.length;
  }
  return { source: `[${isNegated ? "^" : ""}${members.join("")}]`, length: at + 1 };
}

/** Reads `\d`, `\pL`, `\P{Greek}` and their like at the start of a text; undefined when something else is there. */
export function classGroup(text: string): ClassSource | undefined {
  const perl = perlGroups.get(text.slice(0, 2));
  if (perl !== undefined) return { source: perl, length: 2 };
  const [all, sign, braced, bare] = /^\\([pP])(?:\{([^}]*)\}|([^{]))/su.exec(text) ?? [];
  if (all === undefined) {
    if (/^\\[pP]\{/.test(text)) throw invalidRange(text);
    return undefined;
  }
  const given = braced ?? bare ?? "";
  const isInverted = given.startsWith("^");
  const property = unicodeProperty(isInverted ? given.slice(1) : given);
  if (property === undefined) throw invalidRange(all);
  return { source: `\\${isInverted === (sign === "P") ? "p" : "P"}{${property}}`, length: all.length };
}

/** A character, or two with a hyphen between them. */
function readRange(text: string, at: number): ClassSource {
  const from = readCharacter(text, at);
  const next = at + from.length;
  const isRange = text[next] === "-" && next + 1 < text.length && text[next + 1] !== "]";
  if (!isRange) return { source: characterSource(from.codePoint), length: from.length };
  const to = readCharacter(text, next + 1);
  const length = from.length + 1 + to.length;
  if (to.codePoint < from.codePoint) throw invalidRange(text.slice(at, at + length));
  return { source: `${characterSource(from.codePoint)}-${characterSource(to.codePoint)}`, length };
}

function readCharacter(text: string, at: number): { readonly codePoint: number; readonly length: number } {
  const codePoint = text.codePointAt(at);
  if (codePoint === undefined) throw re2Error("missing closing ]", text);
  return text[at] === "\\" ? readEscape(text.slice(at)) : { codePoint, length: codePoint > 0xffff ? 2 : 1 };
}

function posixGroup(text: string): ClassSource | undefined {
  const [all, sign, name = ""] = /^\[:(\^?)(.*?):\]/s.exec(text) ?? [];
  if (all === undefined) return undefined;
  const ranges = posixRanges.get(name);
  if (ranges === undefined) throw invalidRange(all);
  return { source: `[${sign}${ranges}]`, length: all.length };
}

/** A Unicode category or script by any spelling Go takes, as JavaScript spells it. */
function unicodeProperty(name: string): string | undefined {
  if (!/^[A-Za-z_\- ]+$/.test(name)) return undefined;
  const words = name.split(/[_\- ]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
  const title = words.join("_");
  const candidates = [special.get(title), `gc=${title}`, `sc=${title}`];
  return candidates.find((candidate) => candidate !== undefined && isProperty(candidate));
}

function isProperty(text: string): boolean {
  try {
    return new RegExp(`\\p{${text}}`, "v") instanceof RegExp;
  } catch {
    return false;
  }
}

function invalidRange(expression: string): ParseError {
  return re2Error("invalid character class range", expression);
}

const special: ReadonlyMap<string, string> = new Map([
  ["Any", "Any"],
  ["Assigned", "Assigned"],
  ["Ascii", "ASCII"],
  ["Lc", "gc=LC"],
]);

const perlGroups: ReadonlyMap<string, string> = new Map([
  ["\\d", "[0-9]"],
  ["\\D", "[^0-9]"],
  ["\\s", "[\\t\\n\\f\\r ]"],
  ["\\S", "[^\\t\\n\\f\\r ]"],
  ["\\w", "[0-9A-Z_a-z]"],
  ["\\W", "[^0-9A-Z_a-z]"],
]);

const posixRanges: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["ascii", "\\x00-\\x7f"],
  ["blank", "\\t "],
  ["cntrl", "\\x00-\\x1f\\x7f"],
  ["digit", "0-9"],
  ["graph", "\\x21-\\x7e"],
  ["lower", "a-z"],
  ["print", "\\x20-\\x7e"],
  ["punct", "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e"],
  ["space", "\\t-\\r "],
  ["upper", "A-Z"],
  ["word", "0-9A-Z_a-z"],
  ["xdigit", "0-9A-Fa-f"],
]);
