import { inspect } from "node:util";

const redacted = "[secret]";

/** A text that no log, error or inspection shows: only `reveal` does. */
export class Redacted {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  static {
    Object.defineProperty(this.prototype, inspect.custom, { value: () => redacted });
  }
}

/** A secret, or a text that its owner keeps as one. */
export type SecretText = string | Redacted;

/** The text of a secret. */
export function reveal(secret: SecretText): string {
  return typeof secret === "string" ? secret : secret.reveal();
}
