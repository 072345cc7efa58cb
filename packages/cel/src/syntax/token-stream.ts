import { expressionStart, missing, noViable, operandFollow, unexpected } from "./expected-tokens.ts";
import type { Token, TokenKind } from "./lexer.ts";
import type { Issue } from "./source.ts";

/** Thrown where the source cannot be made sense of any further; the reason has been reported. */
export class Unreadable extends Error {}

/** Tokens, read one after the other. A token too many or too few is reported, and reading goes on as if it were right. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #report: (issue: Issue) => void;
  /** What closes the expressions that are being read, innermost last. */
  readonly #closers: (readonly TokenKind[])[] = [["<EOF>"]];
  #at = 0;

  constructor(tokens: readonly Token[], report: (issue: Issue) => void) {
    this.#tokens = tokens;
    this.#report = report;
  }

  /** The token at hand, or one further on. */
  peek(ahead = 0): Token {
    const token = this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RangeError("a token stream has an end at least");
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "<EOF>") this.#at++;
    return token;
  }

  /** Takes the token if it is of a kind. */
  take(...kinds: readonly TokenKind[]): Token | undefined {
    return kinds.includes(this.peek().kind) ? this.next() : undefined;
  }

  /** Takes a token that must be there. */
  expect(kind: TokenKind): Token {
    const token = this.peek();
    if (token.kind === kind) return this.next();
    if (this.peek(1).kind === kind && token.kind !== "<EOF>") {
      this.#complain(unexpected("extraneous", token, [kind]));
      this.next();
      return this.next();
    }
    if (!this.#mayFollow(kind, token.kind)) this.fail(unexpected("mismatched", token, [kind]));
    this.#complain(missing(kind, token));
    return token;
  }

  /** Sees to it that one of these kinds comes next. */
  sync(kinds: Iterable<TokenKind>): void {
    const expected = new Set(kinds);
    const token = this.peek();
    if (expected.has(token.kind)) return;
    const isExtra = token.kind !== "<EOF>" && expected.has(this.peek(1).kind);
    const message = unexpected(isExtra ? "extraneous" : "mismatched", token, expected);
    if (!isExtra) this.fail(message);
    this.#complain(message);
    this.next();
  }

  /** Sees to it that an expression comes next, or one of these kinds. */
  syncExpression(...others: readonly TokenKind[]): void {
    const { kind } = this.peek();
    if (!expressionStart.has(kind) && !others.includes(kind)) this.sync([...expressionStart, ...others]);
  }

  /** Reads something that ends with one of these kinds. */
  within<T>(closers: readonly TokenKind[], read: () => T): T {
    this.#closers.push(closers);
    const result = read();
    this.#closers.pop();
    return result;
  }

  /** The token at hand cannot follow those before it. */
  failAfter(...tokens: readonly Token[]): never {
    this.fail(noViable([...tokens, this.peek()]));
  }

  fail(message: string): never {
    this.#complain(message);
    throw new Unreadable(message);
  }

  #complain(message: string): void {
    this.#report({ position: this.peek().position, message });
  }

  /** Whether a kind may follow another that is missing. */
  #mayFollow(absent: TokenKind, kind: TokenKind): boolean {
    if (absent === "':'") return expressionStart.has(kind);
    return operandFollow.has(kind) || (this.#closers.at(-1) ?? []).includes(kind);
  }
}
