import { linearPattern } from "@kaji/cel";
import { classGroup, readClass } from "./re2-class.ts";
import { characterSource, readEscape } from "./re2-escape.ts";
import { re2Error } from "./re2-error.ts";

/** Says whether a pattern is found in a text. */
export interface TextPattern {
  test(text: string): boolean;
}

/** Too short for JavaScript to take long, whatever the pattern. */
const shortText = 10;

/**
 * Makes a test that finds what Go takes the pattern to match.
 *
 * Go's language (RE2) is read in full, refused in Go's words, and written as a JavaScript regular expression. What differs in meaning is spelled out: `.` leaves out the line feed only,
 * `\s`, `\w` and `\b` know ASCII only, `^` and `$` mean the text unless `(?m)`, and characters are code points.
 * JavaScript backtracks, which may take exponential time where Go's is linear: long texts and patterns for which that could be so are left to an engine like Go's, which is slow to start.
 */
export function compileRe2(pattern: string): TextPattern {
  const parser = new Re2Parser(pattern);
  const quick = new RegExp(parser.parse(), "v");
  if (!parser.repeatsChoices) return quick;
  let linear: TextPattern | undefined;
  return { test: (text) => (text.length <= shortText ? quick : (linear ??= linearPattern(pattern))).test(text) };
}

/** A part of the expression in JavaScript's language. */
interface Fragment {
  readonly source: string;
  /** The counted repetitions in it: together, nested ones must not exceed a limit. */
  readonly repeats: readonly Repeat[];
  /** Whether it has alternatives or repetitions, so that a text may match it in several ways. */
  readonly hasChoice: boolean;
}

interface Repeat {
  readonly count: number;
  readonly inner: readonly Repeat[];
}

interface Flags {
  readonly foldCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly lazy: boolean;
}

/** Above it Go refuses a repetition, also one that comes about by nesting. */
const mostRepeats = 1000;

class Re2Parser {
  readonly #pattern: string;
  /** Whether case is ignored anywhere. */
  readonly #folds: boolean;
  #at = 0;
  #flags: Flags = { foldCase: false, multiLine: false, dotAll: false, lazy: false };
  /** Where the repetition began that was read last, if nothing else has been read since. */
  #lastRepeat: number | undefined;
  #repeatsChoices = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#folds = /\(\?[msU]*i/.test(pattern);
  }

  parse(): string {
    const { source } = this.#alternatives();
    if (this.#at < this.#pattern.length) throw re2Error("unexpected )", this.#pattern);
    return source;
  }

  /** Whether anything is repeated that may match in several ways: then there may be more ways in all than can ever be tried. */
  get repeatsChoices(): boolean {
    return this.#repeatsChoices;
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  /** Until the end, or the parenthesis that closes the group. */
  #alternatives(): Fragment {
    const parts: string[] = [];
    const repeats: Repeat[] = [];
    let hasChoice = false;
    let last: Fragment | undefined;
    const settle = (): void => {
      if (last === undefined) return;
      parts.push(last.source);
      repeats.push(...last.repeats);
      hasChoice ||= last.hasChoice;
      last = undefined;
    };
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ")") {
      const repeated = this.#repetition(last);
      if (repeated !== undefined) {
        last = repeated;
        continue;
      }
      this.#lastRepeat = undefined;
      if (this.#flagChange()) continue;
      settle();
      if (this.#take("|")) {
        parts.push("|");
        hasChoice = true;
      } else if (this.#rest.startsWith("\\Q")) last = this.#quotation(parts);
      else last = this.#atom();
    }
    settle();
    this.#lastRepeat = undefined;
    return { source: parts.join(""), repeats, hasChoice };
  }

  /** The atom with the repetition that follows it; undefined when none follows. */
  #repetition(atom: Fragment | undefined): Fragment | undefined {
    const start = this.#at;
    const bounds = this.#bounds();
    if (bounds === undefined) return undefined;
    const { least, most } = bounds;
    if (least > mostRepeats || (most > mostRepeats && most !== Infinity) || least > most) {
      throw re2Error("invalid repeat count", this.#pattern.slice(start, this.#at));
    }
    const lazy = this.#take("?") !== this.#flags.lazy;
    if (this.#lastRepeat !== undefined)
      throw re2Error("invalid nested repetition operator", this.#pattern.slice(this.#lastRepeat, this.#at));
    if (atom === undefined) throw re2Error("missing argument to repetition operator", this.#pattern.slice(start, this.#at));
    const counted = { count: most === Infinity ? least : most, inner: atom.repeats };
    const isCounted = this.#pattern[start] === "{";
    if (isCounted && !fitsLimit(counted, mostRepeats)) throw re2Error("invalid repeat count", this.#pattern.slice(start, this.#at));
    this.#lastRepeat = start;
    this.#repeatsChoices ||= most > 1 && atom.hasChoice;
    const times = `{${least},${most === Infinity ? "" : most}}`;
    const source = `(?:${atom.source})${times}${lazy ? "?" : ""}`;
    return { source, repeats: isCounted ? [counted] : atom.repeats, hasChoice: true };
  }

  /** Reads `*`, `+`, `?` or `{2,3}`; braces of any other form are characters. */
  #bounds(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take("*")) return { least: 0, most: Infinity };
    if (this.#take("+")) return { least: 1, most: Infinity };
    if (this.#take("?")) return { least: 0, most: 1 };
    const [all, least = "", comma, most = ""] = /^\{(0|[1-9]\d*)(,)?(0|[1-9]\d*)?\}/.exec(this.#rest) ?? [];
    if (all === undefined || (comma === undefined && most !== "")) return undefined;
    this.#at += all.length;
    return { least: Number(least), most: comma === undefined ? Number(least) : most === "" ? Infinity : Number(most) };
  }

  #atom(): Fragment {
    const letter = this.#pattern[this.#at];
    switch (letter) {
      case "(":
        return this.#group();
      case "[": {
        const { source, length } = readClass(this.#rest);
        this.#at += length;
        return this.#folded(source);
      }
      case "^":
        this.#at++;
        return plain(this.#flags.multiLine ? "(?<![^\\n])" : "^");
      case "$":
        this.#at++;
        return plain(this.#flags.multiLine ? "(?![^\\n])" : "$");
      case ".":
        this.#at++;
        return plain(this.#flags.dotAll ? "[^]" : "[^\\n]");
      case "\\":
        return this.#escape();
      default:
        return this.#character();
    }
  }

  #character(): Fragment {
    const codePoint = this.#pattern.codePointAt(this.#at) ?? 0;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return this.#folded(characterSource(codePoint));
  }

  #escape(): Fragment {
    const rest = this.#rest;
    const assertion = assertions.get(rest.slice(0, 2));
    if (assertion !== undefined) {
      this.#at += 2;
      return plain(this.#folds ? `(?-i:${assertion})` : assertion);
    }
    if (rest.startsWith("\\C")) throw re2Error("invalid escape sequence", "\\C");
    const group = classGroup(rest);
    if (group !== undefined) {
      this.#at += group.length;
      return this.#folded(group.source);
    }
    const { codePoint, length } = readEscape(rest);
    this.#at += length;
    return this.#folded(characterSource(codePoint));
  }

  /** `\Q…\E`: characters, whatever they are. The last one may be repeated by what follows, the others are settled. */
  #quotation(settled: string[]): Fragment | undefined {
    const end = this.#pattern.indexOf("\\E", this.#at + 2);
    const letters = [...this.#pattern.slice(this.#at + 2, end < 0 ? undefined : end)];
    this.#at = end < 0 ? this.#pattern.length : end + 2;
    const sources = letters.map((letter) => this.#folded(characterSource(letter.codePointAt(0) ?? 0)));
    const last = sources.pop();
    settled.push(...sources.map(({ source }) => source));
    return last;
  }

  /** Reads `(?i)`, which changes how all that follows in the group is read. */
  #flagChange(): boolean {
    const [all, on = "", off = ""] = /^\(\?([imsU]*)(?:-([imsU]+))?\)/.exec(this.#rest) ?? [];
    if (all === undefined) return false;
    this.#flags = changed(changed(this.#flags, on, true), off, false);
    this.#at += all.length;
    return true;
  }

  #group(): Fragment {
    const outer = this.#flags;
    if (this.#pattern[this.#at + 1] === "?") this.#groupHead();
    else this.#at++;
    const { source, ...body } = this.#alternatives();
    if (!this.#take(")")) throw re2Error("missing closing )", this.#pattern);
    this.#flags = outer;
    return { source: `(?:${source})`, ...body };
  }

  /** Reads `(?P<name>`, `(?<name>` or `(?i:`. */
  #groupHead(): void {
    const rest = this.#rest;
    const [named, name = ""] = /^\(\?P?<([^>]*)>/.exec(rest) ?? [];
    if (named !== undefined || /^\(\?P?</.test(rest)) {
      if (named === undefined || !/^\w+$/.test(name)) throw re2Error("invalid named capture", named ?? rest);
      this.#at += named.length;
      return;
    }
    const [all, on = "", off = ""] = /^\(\?([imsU]*)(?:-([imsU]+))?:/.exec(rest) ?? [];
    if (all === undefined) throw re2Error("invalid or unsupported Perl syntax", unreadableHead(rest));
    this.#flags = changed(changed(this.#flags, on, true), off, false);
    this.#at += all.length;
  }

  #folded(source: string): Fragment {
    if (this.#flags.foldCase) return plain(`(?i:${source})`);
    // Said outright, since V8 lets the flag of one alternative leak into the next.
    return plain(this.#folds ? `(?-i:${source})` : source);
  }

  #take(letter: string): boolean {
    if (this.#pattern[this.#at] !== letter) return false;
    this.#at++;
    return true;
  }
}

const assertions: ReadonlyMap<string, string> = new Map([
  ["\\A", "(?<![^])"],
  ["\\z", "(?![^])"],
  ["\\b", "\\b"],
  ["\\B", "\\B"],
]);

function plain(source: string): Fragment {
  return { source, repeats: [], hasChoice: false };
}

function changed(flags: Flags, letters: string, value: boolean): Flags {
  return {
    foldCase: letters.includes("i") ? value : flags.foldCase,
    multiLine: letters.includes("m") ? value : flags.multiLine,
    dotAll: letters.includes("s") ? value : flags.dotAll,
    lazy: letters.includes("U") ? value : flags.lazy,
  };
}

/** As far as Go reads before it gives up: past the first character that is no flag. */
function unreadableHead(rest: string): string {
  const [head = rest] = /^\(\?[imsU]*(?:-[imsU]*)?./su.exec(rest) ?? [];
  return head;
}

function fitsLimit({ count, inner }: Repeat, limit: number): boolean {
  if (count === 0) return true;
  return count <= limit && inner.every((repeat) => fitsLimit(repeat, Math.floor(limit / count)));
}
