/** What a server answered: the bytes as they came, and the value in them, parsed when somebody looks at it. */
export class Answer<A = unknown> {
  readonly bytes: Uint8Array;
  readonly #parse: (bytes: Uint8Array) => unknown;
  #value: { readonly parsed: A } | undefined;

  constructor(bytes: Uint8Array, parse: (bytes: Uint8Array) => unknown) {
    this.bytes = bytes;
    this.#parse = parse;
  }

  /** Of the type that the API documents for the call; the same one each time. Throws a `TransportError` if it is not JSON. */
  get value(): A {
    this.#value ??= { parsed: this.#parse(this.bytes) as A };
    return this.#value.parsed;
  }
}
