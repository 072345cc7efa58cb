import { quote } from "@kaji/core/go";

/** What Go says of bytes that are not JSON: clients, and those who read logs, know its words. Undefined when they are. */
export function goSyntaxError(bytes: Uint8Array): string | undefined {
  try {
    new Scanner(bytes).scan();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** What may come next. */
type Expected = "value" | "first element" | "first key" | "key" | "colon" | "after member" | "after element" | "end";

const complaints: Readonly<Record<Expected, string>> = {
  value: "looking for beginning of value",
  "first element": "looking for beginning of value",
  "first key": "looking for beginning of object key string",
  key: "looking for beginning of object key string",
  colon: "after object key",
  "after member": "after object key:value pair",
  "after element": "after array element",
  end: "after top-level value",
};

/** Places where JSON cannot end. */
const unfinished = /^(?:in (?!string literal)|after decimal point)/;

/** Reads JSON up to the first byte that is wrong. */
class Scanner {
  readonly #bytes: Uint8Array;
  /** The next byte to look at. */
  #at = 0;
  /** What follows the value that is open, for each that is. */
  readonly #open: ("after member" | "after element")[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  scan(): void {
    let expected: Expected = "value";
    for (;;) {
      while (" \t\r\n".includes(this.#letter() ?? "x")) this.#at++;
      if (this.#letter() === undefined && expected === "end") return;
      expected = this.#next(expected);
    }
  }

  #next(expected: Expected): Expected {
    const letter = this.#letter();
    switch (expected) {
      case "first element":
        return letter === "]" ? this.#close() : this.#value(expected);
      case "value":
        return this.#value(expected);
      case "first key":
      case "key":
        if (letter === "}" && expected === "first key") return this.#close();
        if (letter !== '"') throw this.#wrong(complaints[expected]);
        this.#string();
        return "colon";
      case "colon":
        return this.#skip(":", expected, "value");
      case "after member":
        return letter === "}" ? this.#close() : this.#skip(",", expected, "key");
      case "after element":
        return letter === "]" ? this.#close() : this.#skip(",", expected, "value");
      case "end":
        throw this.#wrong(complaints.end);
      default:
        return expected satisfies never;
    }
  }

  #value(expected: Expected): Expected {
    const letter = this.#letter() ?? "";
    if (letter === "{" || letter === "[") {
      this.#at++;
      this.#open.push(letter === "{" ? "after member" : "after element");
      return letter === "{" ? "first key" : "first element";
    }
    if (letter === '"') this.#string();
    else if (/^[-0-9]$/.test(letter)) this.#number();
    else if (letter === "t") this.#literal("true");
    else if (letter === "f") this.#literal("false");
    else if (letter === "n") this.#literal("null");
    else throw this.#wrong(complaints[expected]);
    return this.#open.at(-1) ?? "end";
  }

  #close(): Expected {
    this.#at++;
    this.#open.pop();
    return this.#open.at(-1) ?? "end";
  }

  #skip(letter: string, expected: Expected, next: Expected): Expected {
    if (this.#letter() !== letter) throw this.#wrong(complaints[expected]);
    this.#at++;
    return next;
  }

  #string(): void {
    for (this.#at++; this.#letter() !== '"'; this.#at++) {
      if (this.#letter() === "\\") this.#escape();
      else if ((this.#letter() ?? "") < " ") throw this.#wrong("in string literal");
    }
    this.#at++;
  }

  #escape(): void {
    this.#at++;
    if (!/^["\\/bfnrtu]$/.test(this.#letter() ?? "")) throw this.#wrong("in string escape code");
    if (this.#letter() !== "u") return;
    for (let digits = 0; digits < 4; digits++) {
      this.#at++;
      if (!/^[0-9a-fA-F]$/.test(this.#letter() ?? "")) throw this.#wrong("in \\u hexadecimal character escape");
    }
  }

  #number(): void {
    if (this.#letter() === "-") this.#at++;
    if (this.#letter() === "0") this.#at++;
    else this.#digits("in numeric literal");
    if (this.#letter() === ".") {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (this.#letter() !== "e" && this.#letter() !== "E") return;
    this.#at++;
    if (this.#letter() === "+" || this.#letter() === "-") this.#at++;
    this.#digits("in exponent of numeric literal");
  }

  #digits(where: string): void {
    if (!/^\d$/.test(this.#letter() ?? "")) throw this.#wrong(where);
    while (/^\d$/.test(this.#letter() ?? "")) this.#at++;
  }

  #literal(text: string): void {
    for (const letter of text) {
      if (this.#letter() !== letter) throw this.#wrong(`in literal ${text} (expecting '${letter}')`);
      this.#at++;
    }
  }

  /** The byte to look at, as the letter it is in Latin-1: so Go shows it. Undefined at the end. */
  #letter(): string | undefined {
    const byte = this.#bytes[this.#at];
    return byte === undefined ? undefined : String.fromCharCode(byte);
  }

  #wrong(where: string): SyntaxError {
    const letter = this.#letter();
    // At the end Go looks for a space, which is wrong only where a letter has to follow.
    if (letter === undefined && !unfinished.test(where)) return new SyntaxError("unexpected end of JSON input");
    return new SyntaxError(`invalid character '${shown(letter ?? " ")}' ${where}`);
  }
}

function shown(letter: string): string {
  if (letter === "'") return String.raw`\'`;
  return letter === '"' ? letter : quote(letter).slice(1, -1);
}
