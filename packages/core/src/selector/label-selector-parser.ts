import { aggregateMessage } from "../error/field-error.ts";
import { FieldPath } from "../error/field-path.ts";
import { binaryOperators, keyError, labelRequirement } from "./label-requirement.ts";
import type { LabelOperator, LabelRequirement } from "./label-requirement.ts";
import { ParseError } from "../error/parse-error.ts";

/** Takes `app=web,tier in (a,b),!canary` apart, refusing what apimachinery refuses, in its words. */
export function parseRequirements(text: string): readonly LabelRequirement[] {
  return new Parser(tokenize(text)).requirements();
}

/** `word` is a key or a value, `end` is what follows the last token. */
type TokenType = "word" | "end" | "in" | "notin" | "=" | "==" | "!=" | "!" | ">" | "<" | "(" | ")" | ",";

interface Token {
  readonly type: TokenType;
  readonly text: string;
}

const end: Token = { type: "end", text: "" };

/** A NUL ends the text, except right after a token, where apimachinery reads over it. */
const token = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^\0 \t\r\n=!(),<>]+))\0?/y;

function tokenize(text: string): readonly Token[] {
  const pattern = new RegExp(token);
  const tokens: Token[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, symbol, word = ""] = match;
    if (symbol !== undefined) tokens.push({ type: symbol as TokenType, text: symbol });
    else tokens.push({ type: word === "in" || word === "notin" ? word : "word", text: word });
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  requirements(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().type === "end") return requirements;
    this.#expectKey("!, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      const next = this.#take();
      if (next.type === "end") return requirements;
      if (next.type !== ",") throw unexpected(next, "',' or 'end of string'");
      this.#expectKey("identifier after ','");
    }
  }

  #expectKey(expected: string): void {
    const next = this.#peek();
    if (!isWord(next) && next.type !== "!") throw unexpected(next, expected);
  }

  #requirement(): LabelRequirement {
    try {
      const negated = this.#peek().type === "!";
      if (negated) this.#take();
      const key = this.#key();
      if (negated) return labelRequirement(key, "!", []);
      const next = this.#peek().type;
      if (next === "end" || next === ",") return labelRequirement(key, "exists", []);
      const operator = this.#operator();
      const values = operator === "in" || operator === "notin" ? this.#valueSet() : [this.#value()];
      return labelRequirement(key, operator, [...new Set(values)].toSorted());
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw new ParseError(`unable to parse requirement: ${error.message}`);
    }
  }

  #key(): string {
    const key = this.#take();
    if (!isWord(key)) throw unexpected(key, "identifier");
    // The server has no path to name here, and says so.
    const errors = keyError(key.text, FieldPath.of("<nil>"));
    if (errors.length > 0) throw new ParseError(aggregateMessage(errors));
    return key.text;
  }

  #operator(): LabelOperator {
    const operator = this.#take();
    switch (operator.type) {
      case "in":
      case "notin":
      case "=":
      case "==":
      case "!=":
        return operator.type;
      case ">":
        return "gt";
      case "<":
        return "lt";
      case "word":
      case "end":
      case "!":
      case "(":
      case ")":
      case ",":
        throw unexpected(operator, binaryOperators.join(", "));
      default:
        return operator.type satisfies never;
    }
  }

  #value(): string {
    const next = this.#peek().type;
    if (next === "end" || next === ",") return "";
    const value = this.#take();
    if (!isWord(value)) throw unexpected(value, "identifier");
    return value.text;
  }

  /** `(a,b)`; between two commas, and beside one that stands alone, is the empty value. */
  #valueSet(): readonly string[] {
    const open = this.#take();
    if (open.type !== "(") throw new ParseError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.type === ")") {
      this.#take();
      return [""];
    }
    if (!isWord(first) && first.type !== ",") throw unexpected(first, "',', ')' or identifier");
    return this.#values();
  }

  #values(): readonly string[] {
    const values: string[] = [];
    for (;;) {
      const item = this.#take();
      const next = this.#peek();
      if (isWord(item)) {
        values.push(item.text);
        if (next.type !== "," && next.type !== ")") throw unexpected(next, "',' or ')'");
      } else if (item.type === ",") {
        if (values.length === 0 || next.type === "," || next.type === ")") values.push("");
      } else throw unexpected(item, "',', or identifier");
      if (next.type === ")") {
        this.#take();
        return values;
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? end;
  }

  #take(): Token {
    return this.#tokens[this.#position++] ?? end;
  }
}

/** `in` and `notin` are operators only where one is expected. */
function isWord({ type }: Token): boolean {
  return type === "word" || type === "in" || type === "notin";
}

function unexpected({ text }: Token, expected: string): ParseError {
  return new ParseError(`found '${text}', expected: ${expected}`);
}
