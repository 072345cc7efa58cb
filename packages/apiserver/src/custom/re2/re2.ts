import { linearPattern } from "@kaji/cel";
import { classGroup, readClass } from "./re2-class.ts";
import { characterSource, readEscape } from "./re2-escape.ts";
import { re2Error } from "./re2-error.ts";

/** Says whether a pattern is found in a text. */
export interface TextPattern {
  test(text: string): boolean;
}

/** Takes JavaScript a few milliseconds. */
const mostSteps = 100_000;

/**
 * Makes a test that finds what Go takes the pattern to match.
 *
 * Go's language (RE2) is read in full, refused in Go's words, and written as a JavaScript regular expression. What differs in meaning is spelled out: `.` leaves out the line feed only,
 * `\s`, `\w` and `\b` know ASCII only, `^` and `$` mean the text unless `(?m)`, and characters are code points.
 * JavaScript backtracks, which may take exponential time where Go's is linear: texts of a length at which that could be so are left to an engine like Go's, which is slow to start.
 */
export function compileRe2(pattern: string): TextPattern {
  const { source, ways } = new Re2Parser(pattern).parse();
  const quick = new RegExp(source, "v");
  let linear: TextPattern | undefined;
  return {
    test: (text) => {
      const { length } = text;
      // A match is sought from each character on, and each way goes along the text.
      const isQuick = (length + 1) * ways(length) <= mostSteps;
      return (isQuick ? quick : (linear ??= linearPattern(pattern))).test(text);
    },
  };
}

/** A part of the expression in JavaScript's language. */
interface Fragment {
  readonly source: string;
  /** The counted repetitions in it: together, nested ones must not exceed a limit. */
  readonly repeats: readonly Repeat[];
  /** In how many ways, at most, it may match the beginning of a text of some length. */
  readonly ways: Ways;
}

type Ways = (length: number) => number;

interface Bounds {
  readonly least: number;
  readonly most: number;
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

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#folds = /\(\?[msU]*i/.test(pattern);
  }

  parse(): Fragment {
    const whole = this.#alternatives();
    if (this.#at < this.#pattern.length) throw re2Error("unexpected )", this.#pattern);
    return whole;
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  /** Until the end, or the parenthesis that closes the group. */
  #alternatives(): Fragment {
    const parts: string[] = [];
    const repeats: Repeat[] = [];
    let factors: Ways[] = [];
    const alternatives = [factors];
    let last: Fragment | undefined;
    const settle = (): void => {
      if (last === undefined) return;
      parts.push(last.source);
      repeats.push(...last.repeats);
      if (last.ways !== oneWay) factors.push(last.ways);
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
        alternatives.push((factors = []));
      } else if (this.#rest.startsWith("\\Q")) last = this.#quotation(parts);
      else last = this.#atom();
    }
    settle();
    this.#lastRepeat = undefined;
    return { source: parts.join(""), repeats, ways: sumOfProducts(alternatives) };
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
    const times = `{${least},${most === Infinity ? "" : most}}`;
    const source = `(?:${atom.source})${times}${lazy ? "?" : ""}`;
    return { source, repeats: isCounted ? [counted] : atom.repeats, ways: repeated(atom.ways, bounds) };
  }

  /** Reads `*`, `+`, `?` or `{2,3}`; braces of any other form are characters. */
  #bounds(): Bounds | undefined {
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
    this.#flags = switched(this.#flags, on, off);
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
    this.#flags = switched(this.#flags, on, off);
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
  return { source, repeats: [], ways: oneWay };
}

const oneWay: Ways = () => 1;

function sumOfProducts(alternatives: readonly (readonly Ways[])[]): Ways {
  if (alternatives.length === 1 && alternatives[0]?.length === 0) return oneWay;
  return (length) => alternatives.reduce((sum, factors) => sum + factors.reduce((product, ways) => product * ways(length), 1), 0);
}

/** What is repeated takes at least a character each time, unless it has to be there that often. */
function repeated(each: Ways, { least, most }: Bounds): Ways {
  if (least === most && each === oneWay) return oneWay;
  return (length) => {
    const times = Math.min(most, Math.max(least, length));
    return (times - Math.min(least, times) + 1) * each(length) ** times;
  };
}

function switched({ foldCase, multiLine, dotAll, lazy }: Flags, on: string, off: string): Flags {
  const flag = (letter: string, before: boolean): boolean => !off.includes(letter) && (before || on.includes(letter));
  return { foldCase: flag("i", foldCase), multiLine: flag("m", multiLine), dotAll: flag("s", dotAll), lazy: flag("U", lazy) };
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
