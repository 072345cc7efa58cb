import type { Token, TokenKind } from "./lexer.ts";

/** All kinds in the order in which messages list them. */
const order: readonly TokenKind[] = [
  ..."== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null".split(" ").map((sign): TokenKind => `'${sign}'`),
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
];

/** With what an expression may begin. */
export const expressionStart: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "'['",
  "'{'",
  "'('",
  "'.'",
  "'-'",
  "'!'",
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
]);

/** What may follow a complete operand, besides what closes the surroundings. */
export const operandFollow: ReadonlySet<TokenKind> = new Set<TokenKind>(
  "== != in < <= >= > && || [ . - ? + * / %".split(" ").map((sign): TokenKind => `'${sign}'`),
);

/** A problem with a token in the words of the parser generator that cel-go uses. */
export function unexpected(problem: "extraneous" | "mismatched", token: Token, expected: Iterable<TokenKind>): string {
  return `Syntax error: ${problem} input '${token.text}' expecting ${formatKinds(expected)}`;
}

/** What would be there if the source were right. */
export function missing(kind: TokenKind, token: Token): string {
  return `Syntax error: missing ${kind} at '${token.text}'`;
}

/** Two tokens that cannot follow each other. */
export function noViable(tokens: readonly Token[]): string {
  const text = tokens.map((token) => (token.kind === "<EOF>" ? "" : token.text)).join("");
  const [, reserved] = /^.(true|false|null)$/.exec(text) ?? [];
  if (reserved !== undefined) return `Syntax error: mismatched input '${reserved}' expecting IDENTIFIER`;
  return `Syntax error: no viable alternative at input '${text}'`;
}

function formatKinds(kinds: Iterable<TokenKind>): string {
  const sorted = [...kinds].toSorted((left, right) => order.indexOf(left) - order.indexOf(right));
  return sorted.length === 1 ? sorted.join("") : `{${sorted.join(", ")}}`;
}
