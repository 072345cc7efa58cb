import { ParseError } from "@kaji/core";

/** A step of a path, from a value to others. */
export type PathStep =
  | { readonly type: "Field"; readonly name: string }
  | { readonly type: "Wildcard" }
  | { readonly type: "Recursive" }
  | { readonly type: "Slice"; readonly start: number | undefined; readonly end: number | undefined; readonly step: number | undefined }
  | { readonly type: "Index"; readonly index: number }
  | { readonly type: "Union"; readonly paths: readonly JsonPath[] }
  | { readonly type: "Filter"; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly type: "Literal"; readonly value: string | number | boolean }
  /** A word such as `range`, which means nothing inside of a single path. */
  | { readonly type: "Word"; readonly word: string };

/** Steps one after the other. */
export type JsonPath = readonly PathStep[];

/** Reads a path as kubectl and the server write them, such as `.spec.containers[?(@.name=="web")].image`; throws a `ParseError`. */
export function parseJsonPath(text: string): JsonPath {
  return new PathParser(text).parse();
}

class PathParser {
  readonly #text: string;
  readonly #steps: PathStep[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): JsonPath {
    while (this.#at < this.#text.length && this.#text[this.#at] !== "}") this.#step();
    return this.#steps;
  }

  #step(): void {
    if (this.#text.startsWith("[?(", this.#at)) return this.#filter();
    if (this.#text.startsWith("..", this.#at)) return this.#recursive();
    const [letter = ""] = /./su.exec(this.#text.slice(this.#at)) ?? [];
    if (letter === " " || letter === "@" || letter === "$") {
      this.#at++;
    } else if (letter === "[") {
      this.#brackets();
    } else if (letter === '"' || letter === "'") {
      this.#quotation(letter);
    } else if (letter === ".") {
      this.#at++;
      this.#field();
    } else if (/[+\-\d]/.test(letter)) {
      this.#number();
    } else if (/[\p{L}\p{Nd}_]/u.test(letter)) {
      this.#word();
    } else if (letter === "\n" || letter === "\r") {
      throw new ParseError("unclosed action");
    } else {
      throw new ParseError(`unrecognized character in action: ${letter}`);
    }
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.type === "Recursive") throw new ParseError("invalid multiple recursive descent");
    this.#at += 2;
    this.#steps.push({ type: "Recursive" });
    if (/^[\p{L}\p{Nd}_]/u.test(this.#text.slice(this.#at))) this.#field();
  }

  /** Up to a character that ends a name; what follows a backslash never does. */
  #field(): void {
    const name = this.#take(/(?:\\[^]|[^\s.,[\]$@{}\\])*/y);
    this.#steps.push(name === "*" ? { type: "Wildcard" } : { type: "Field", name: name.replaceAll("\\", "") });
  }

  #word(): void {
    const word = this.#take(/[^\s.,[\]$@{}]+/y);
    this.#steps.push(word === "true" || word === "false" ? { type: "Literal", value: word === "true" } : { type: "Word", word });
  }

  #number(): void {
    const text = this.#take(/[+-]?[\d.]*/y);
    const value = /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) throw new ParseError(`cannot parse number ${text}`);
    this.#steps.push({ type: "Literal", value });
  }

  #quotation(mark: string): void {
    const text = this.#take(mark === '"' ? /"(?:[^"\\\n]|\\[^\n])*"/y : /'(?:[^'\\\n]|\\[^\n])*'/y);
    if (text === "") throw new ParseError("unterminated quoted string");
    this.#steps.push({ type: "Literal", value: unescaped(text.slice(1, -1)) });
  }

  #brackets(): void {
    const end = this.#text.indexOf("]", this.#at);
    if (end < 0) throw new ParseError("unterminated array");
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inside.split(",");
    if (parts.length > 1) {
      this.#steps.push({ type: "Union", paths: parts.map((part) => parseJsonPath(`[${part.trim()}]`)) });
      return;
    }
    const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
    if (key !== undefined) this.#steps.push(...parseJsonPath(`.${key}`));
    else this.#steps.push(sliceOf(inside === "*" ? ":" : inside));
  }

  #filter(): void {
    const [all, condition = ""] = /^\[\?\(((?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[^)"'])*)\)\]/.exec(this.#text.slice(this.#at)) ?? [];
    if (all === undefined) throw new ParseError("unterminated filter");
    this.#at += all.length;
    const [, left, operator = "exists", right = ""] = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(condition) ?? [];
    this.#steps.push({ type: "Filter", left: parseJsonPath(left ?? condition), operator, right: parseJsonPath(right) });
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text = ""] = pattern.exec(this.#text) ?? [];
    this.#at += text.length;
    return text;
  }
}

function sliceOf(text: string): PathStep {
  const [all, start = "", end, step] = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text) ?? [];
  if (all === undefined) throw new ParseError(`invalid array index ${text}`);
  if (end === undefined && step === undefined && start !== "") return { type: "Index", index: numberOf(start) };
  return { type: "Slice", start: bound(start), end: bound(end?.slice(1)), step: bound(step?.slice(1)) };
}

function bound(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : numberOf(text);
}

function numberOf(text: string): number {
  if (text === "-") throw new ParseError("array index - is not a number");
  return Number(text);
}

const escapes: Readonly<Record<string, string>> = { a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_all, letter: string) => escapes[letter] ?? letter);
}
