import { parsePattern } from "./pattern.ts";
import type { ClassMember, Pattern } from "./pattern.ts";

/** A pattern as the API server reads it. */
export function formatPattern(pattern: Pattern): string {
  return write(pattern, serverDialect);
}

/** A JavaScript regular expression that matches what the API server takes the pattern to match. */
export function compilePattern(text: string): RegExp {
  return new RegExp(write(parsePattern(text), scriptDialect), "u");
}

interface Dialect {
  readonly any: string;
  readonly codePoint: (hex: string) => string;
  readonly perl: (letter: string) => string;
}

const serverDialect: Dialect = { any: ".", codePoint: (hex) => `\\x{${hex}}`, perl: (letter) => `\\${letter}` };

/** RE2's `.` leaves out the line feed only, and its `\s` knows the five white-space characters of ASCII only. */
const scriptDialect: Dialect = {
  any: "[^\\n]",
  codePoint: (hex) => `\\u{${hex}}`,
  perl: (letter) => (letter === "s" ? "\\t\\n\\f\\r " : letter === "S" ? "\\u{0}-\\u{8}\\v\\u{e}-\\u{1f}!-\\u{10ffff}" : `\\${letter}`),
};

const controls: ReadonlyMap<string, string> = new Map([
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

function write(pattern: Pattern, dialect: Dialect): string {
  switch (pattern.type) {
    case "Character":
      return writeCharacter(pattern.codePoint, /[\\^$.*+?()[\]{}|]/, dialect);
    case "Any":
      return dialect.any;
    case "Class":
      return writeClass(pattern.negated, pattern.members, dialect);
    case "Assertion":
      return pattern.text;
    case "Group":
      return `(${write(pattern.body, dialect)})`;
    case "Repeat":
      return `${write(pattern.body, dialect)}${writeCount(pattern.min, pattern.max)}${pattern.lazy ? "?" : ""}`;
    case "Sequence":
      return pattern.parts.map((part) => write(part, dialect)).join("");
    case "Choice":
      return pattern.options.map((option) => write(option, dialect)).join("|");
    default:
      return pattern satisfies never;
  }
}

function writeClass(negated: boolean, members: readonly ClassMember[], dialect: Dialect): string {
  const [only, ...others] = members;
  if (only === undefined) return `[${dialect.perl("s")}${dialect.perl("S")}]`;
  if (only.type === "Perl" && others.length === 0 && !negated && dialect === serverDialect) return dialect.perl(only.letter);
  const written = members.map((member) => writeMember(member, dialect));
  // At either end a hyphen stands for itself anyway.
  if (written[0] === "\\-") written[0] = "-";
  else if (written.at(-1) === "\\-") written[written.length - 1] = "-";
  return `[${negated ? "^" : ""}${written.join("")}]`;
}

function writeMember(member: ClassMember, dialect: Dialect): string {
  if (member.type === "Perl") return dialect.perl(member.letter);
  const [from, to] = [member.from, member.to].map((codePoint) => writeCharacter(codePoint, /[\\^\][-]/, dialect));
  return member.from === member.to ? `${from}` : `${from}-${to}`;
}

function writeCharacter(codePoint: number, special: RegExp, dialect: Dialect): string {
  const text = String.fromCodePoint(codePoint);
  if (special.test(text)) return `\\${text}`;
  const control = controls.get(text);
  if (control !== undefined) return control;
  return /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(text) ? text : dialect.codePoint(codePoint.toString(16));
}

function writeCount(min: number, max: number): string {
  if (min === 0 && max === Infinity) return "*";
  if (min === 1 && max === Infinity) return "+";
  if (min === 0 && max === 1) return "?";
  if (min === max) return `{${min}}`;
  return `{${min},${max === Infinity ? "" : max}}`;
}
