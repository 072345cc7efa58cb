import { ParseError } from "../error/parse-error.ts";

/**
 * A regular expression in the part of the language that JavaScript and the API server (RE2) share.
 * Where the two differ in meaning, in `.` and `\s`, the server's meaning is the one that counts.
 */
export type Pattern =
  | { readonly type: "Character"; readonly codePoint: number }
  | { readonly type: "Any" }
  | { readonly type: "Class"; readonly negated: boolean; readonly members: readonly ClassMember[] }
  | { readonly type: "Assertion"; readonly text: "^" | "$" | "\\b" | "\\B" }
  | { readonly type: "Group"; readonly body: Pattern }
  | { readonly type: "Repeat"; readonly body: Pattern; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly type: "Sequence"; readonly parts: readonly Pattern[] }
  | { readonly type: "Choice"; readonly options: readonly Pattern[] };

/** What a class such as `[a-z\d]` contains. */
export type ClassMember =
  | { readonly type: "Range"; readonly from: number; readonly to: number }
  | { readonly type: "Perl"; readonly letter: "d" | "D" | "w" | "W" | "s" | "S" };

/** Above it the server refuses a repetition, also one that comes about by nesting. */
const maxRepeat = 1000;

/** Reads the source of a JavaScript regular expression, or a pattern of a schema; throws a `ParseError` for what the server does not have. */
export function parsePattern(source: string): Pattern {
  const parser = new PatternParser(source);
  const pattern = parser.choice();
  parser.end();
  requireRepeatable(pattern, maxRepeat);
  return pattern;
}

/** Reads from left to right. The text is valid JavaScript, or was written by `formatPattern`. */
class PatternParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  choice(): Pattern {
    const options = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { type: "Choice", options };
  }

  end(): void {
    if (this.#at < this.#text.length) throw new ParseError(`"${this.#text.slice(this.#at)}" cannot be read`);
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text.charAt(this.#at))) parts.push(this.#repeat(this.#atom()));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { type: "Sequence", parts };
  }

  #repeat(body: Pattern): Pattern {
    const [all, braces, least, comma, most] = this.#take(/[*+?]|(\{(\d+)(,)?(\d*)\})/y) ?? [];
    if (all === undefined) return body;
    const lazy = this.#take(/\?/y) !== undefined;
    if (braces === undefined) return { type: "Repeat", body, min: all === "+" ? 1 : 0, max: all === "?" ? 1 : Infinity, lazy };
    const min = Number(least);
    return { type: "Repeat", body, min, max: comma === undefined ? min : most === "" ? Infinity : Number(most), lazy };
  }

  #atom(): Pattern {
    const [assertion] = this.#take(/\^|\$|\\[bB]/y) ?? [];
    if (assertion !== undefined) return { type: "Assertion", text: assertion as "^" | "$" | "\\b" | "\\B" };
    if (this.#take(/\./y) !== undefined) return { type: "Any" };
    if (this.#text.startsWith("(", this.#at)) return this.#group();
    if (this.#take(/\[/y) !== undefined) return this.#class();
    const member = this.#member();
    if (member.type === "Range") return { type: "Character", codePoint: member.from };
    return { type: "Class", negated: false, members: [member] };
  }

  #group(): Pattern {
    const [opening = ""] = this.#take(/\(\?<?[=!]|\(\?:|\(\?<\w+>|\(\?|\(/y) ?? [];
    if (/[=!]$/.test(opening)) throw new ParseError(`a look-around such as "${opening}" does not exist there`);
    if (opening === "(?") throw new ParseError(`"${this.#text.slice(this.#at - 2, this.#at + 2)}" does not exist there`);
    const body = this.choice();
    if (this.#take(/\)/y) === undefined) throw new ParseError("a group is not closed");
    return { type: "Group", body };
  }

  #class(): Pattern {
    const negated = this.#take(/\^/y) !== undefined;
    const members: ClassMember[] = [];
    while (this.#take(/\]/y) === undefined) {
      const from = this.#classMember();
      const dash = this.#at;
      if (from.type === "Range" && this.#take(/-(?!\])/y) !== undefined) {
        const to = this.#classMember();
        if (to.type === "Range") {
          members.push({ type: "Range", from: from.from, to: to.from });
          continue;
        }
        // `[a-\d]` has no range: the hyphen stands for itself.
        this.#at = dash;
      }
      members.push(from);
    }
    if (!negated && members.length === 0) throw new ParseError('"[]" matches nothing');
    return { type: "Class", negated, members };
  }

  #classMember(): ClassMember {
    return this.#take(/\\b/y) === undefined ? this.#member() : character(0x08);
  }

  #member(): ClassMember {
    return this.#take(/\\/y) === undefined ? this.#literal() : this.#escape();
  }

  #literal(): ClassMember {
    if (this.#at >= this.#text.length) throw new ParseError("a class is not closed");
    const codePoint = this.#text.codePointAt(this.#at) ?? 0;
    this.#at += String.fromCodePoint(codePoint).length;
    return character(codePoint);
  }

  #escape(): ClassMember {
    const [letter] = this.#take(/[dDwWsS]/y) ?? [];
    if (letter !== undefined) return { type: "Perl", letter: letter as "d" | "D" | "w" | "W" | "s" | "S" };
    const [, high, low] = this.#take(/u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iy) ?? [];
    if (high !== undefined && low !== undefined) {
      return character(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0);
    }
    const [, braced, four, two] = this.#take(/[ux]\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})/iy) ?? [];
    const hex = braced ?? four ?? two;
    if (hex !== undefined) return character(Number.parseInt(hex, 16));
    if (this.#take(/0(?!\d)/y) !== undefined) return character(0);
    const [control] = this.#take(/[tnvfr]/y) ?? [];
    if (control !== undefined) return character({ t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }[control] ?? 0);
    const next = this.#text.charAt(this.#at);
    if (/[\dk]/.test(next)) throw new ParseError(`a backreference such as "\\${next}" does not exist there`);
    if (/[A-Za-z]/.test(next)) throw new ParseError(`"\\${next}" does not exist there`);
    return this.#literal();
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (match === null) return undefined;
    this.#at = token.lastIndex;
    return match;
  }
}

function character(codePoint: number): ClassMember & { readonly type: "Range" } {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) throw new ParseError("half of a surrogate pair is not a character");
  return { type: "Range", from: codePoint, to: codePoint };
}

function requireRepeatable(pattern: Pattern, budget: number): void {
  switch (pattern.type) {
    case "Repeat": {
      const count = pattern.max === Infinity ? pattern.min : pattern.max;
      if (count > budget) throw new ParseError(`a repetition may not exceed ${maxRepeat} times, nested ones together`);
      return requireRepeatable(pattern.body, count > 0 ? Math.floor(budget / count) : budget);
    }
    case "Group":
      return requireRepeatable(pattern.body, budget);
    case "Sequence":
      return pattern.parts.forEach((part) => requireRepeatable(part, budget));
    case "Choice":
      return pattern.options.forEach((option) => requireRepeatable(option, budget));
    case "Character":
    case "Any":
    case "Class":
    case "Assertion":
      return undefined;
    default:
      return pattern satisfies never;
  }
}
