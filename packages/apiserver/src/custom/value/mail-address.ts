import { isIpAddress } from "./ip-address.ts";

/** Whether a text is one mail address, with a display name or without, as Go's `mail.ParseAddress` reads it (RFC 5322). */
export function isMailAddress(text: string): boolean {
  try {
    const scanner = new AddressScanner(text);
    const count = scanner.address(true);
    scanner.comments();
    return scanner.isAtEnd && count === 1;
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}

/** The text is not an address. */
class AddressError extends Error {
  override readonly name = "AddressError";
}

/** Everything visible but the characters that mean something, and the dot. */
const atom = /[!#-'*+\--9=?A-Z^-~\u{80}-\u{10ffff}]+/uy;
const quoted = /"(?:[!#-[\]-~ \t\u{80}-\u{10ffff}]|\\[!-~ \t\u{80}-\u{10ffff}])*"/uy;
const literal = /\[([!-Z^-~\u{80}-\u{10ffff}]*)\]/uy;
const space = /[ \t]*/y;

class AddressScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** A mailbox, or a group of them; returns how many addresses there are. */
  address(allowsGroup: boolean): number {
    this.#space();
    const start = this.#at;
    if (this.#bareAddress()) {
      this.#space();
      if (this.#peek() === "(") this.#comment();
      return 1;
    }
    this.#at = start;
    if (this.#peek() !== "<") this.#phrase();
    this.#space();
    if (allowsGroup && this.#take(":")) return this.#group();
    if (!this.#take("<") || !this.#bareAddress() || !this.#take(">")) throw new AddressError();
    return 1;
  }

  /** Comments and spaces. */
  comments(): void {
    this.#space();
    while (this.#peek() === "(") {
      this.#comment();
      this.#space();
    }
  }

  #group(): number {
    this.#space();
    let count = 0;
    if (!this.#take(";")) {
      for (;;) {
        count += this.address(false);
        this.comments();
        if (this.#take(";")) break;
        if (!this.#take(",")) throw new AddressError();
      }
    }
    this.comments();
    return count;
  }

  /** `local@domain`. */
  #bareAddress(): boolean {
    this.#space();
    const local = this.#match(quoted);
    if (local === '""' || (local === undefined && !isDotAtom(this.#match(atom)))) return false;
    if (!this.#take("@")) return false;
    this.#space();
    if (this.#peek() !== "[") return isDotAtom(this.#match(atom));
    const domain = this.#match(literal);
    return domain !== undefined && isIpAddress(domain.slice(1, -1), "refused");
  }

  /** One word or more, as display names are made of. */
  #phrase(): void {
    for (let words = 0; ; words++) {
      if (words > 0) this.comments();
      this.#space();
      const word = this.#peek() === '"' ? this.#match(quoted) : this.#match(atom);
      if (word === undefined) {
        if (words === 0) throw new AddressError();
        return;
      }
    }
  }

  #comment(): void {
    let depth = 0;
    do {
      const letter = this.#peek();
      if (letter === undefined) throw new AddressError();
      if (letter === "\\" && this.#at + 1 < this.#text.length) this.#at++;
      else if (letter === "(") depth++;
      else if (letter === ")") depth--;
      this.#at++;
    } while (depth > 0);
  }

  #space(): void {
    this.#match(space);
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#text) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

function isDotAtom(text: string | undefined): boolean {
  return text !== undefined && !text.startsWith(".") && !text.endsWith(".") && !text.includes("..");
}
