import type { Issue, Source } from "./source.ts";

/** The kinds of tokens by the names that error messages give them; signs and words are their own kind. */
export type TokenKind =
  | "<EOF>"
  | "NUM_FLOAT"
  | "NUM_INT"
  | "NUM_UINT"
  | "STRING"
  | "BYTES"
  | "IDENTIFIER"
  | "ESC_IDENTIFIER"
  | `'${string}'`;

/** A piece of the source that belongs together. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly position: number;
}

const space = /[\t \r\n\f]+|\/\/[^\n]*/y;
const escape = String.raw`\\(?:[abfnrtv"'\\?${"`"}]|[0-3][0-7][0-7]|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})`;
const text = [
  String.raw`"""(?:${escape}|[^\\])*?"""`,
  String.raw`'''(?:${escape}|[^\\])*?'''`,
  String.raw`"(?:${escape}|[^\\"\n\r])*"`,
  String.raw`'(?:${escape}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join("|");

/** Of several that match, the longest is taken; of two as long, the first. */
const rules: readonly (readonly [kind: TokenKind | "sign", pattern: RegExp])[] = [
  ["sign", /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
  ["NUM_FLOAT", /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ["NUM_UINT", /0x[\da-fA-F]+[uU]|\d+[uU]/y],
  ["NUM_INT", /0x[\da-fA-F]+|\d+/y],
  ["STRING", new RegExp(text, "y")],
  ["BYTES", new RegExp(`[bB](?:${text})`, "y")],
  ["IDENTIFIER", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["ESC_IDENTIFIER", /`[A-Za-z0-9_./ -]+`/y],
];

const words: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);

/** Cuts the source into tokens, the last of which is the end. What is no token is reported and left out. */
export function tokenize(source: Source): { readonly tokens: readonly Token[]; readonly issues: readonly Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  const { text } = source;
  let position = 0;
  for (let at = 0; at < text.length;) {
    const piece = matchAt(space, text, at);
    const token = piece === "" ? longest(text, at) : undefined;
    const taken = piece !== "" ? piece : (token?.text ?? unreadable(text, at));
    if (token !== undefined) tokens.push({ ...token, position });
    else if (piece === "") issues.push({ position, message: `Syntax error: token recognition error at: '${shown(taken)}'` });
    at += taken.length;
    position += lengthOf(taken);
  }
  tokens.push({ kind: "<EOF>", text: "<EOF>", position });
  return { tokens, issues };
}

function longest(text: string, at: number): Pick<Token, "kind" | "text"> | undefined {
  let best: Pick<Token, "kind" | "text"> | undefined;
  for (const [kind, pattern] of rules) {
    const found = matchAt(pattern, text, at);
    if (found.length <= (best?.text.length ?? 0)) continue;
    best = { kind: kind === "sign" || (kind === "IDENTIFIER" && words.has(found)) ? `'${found}'` : kind, text: found };
  }
  return best;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** As far as a token could have been read, with the character at which it could not. */
function unreadable(text: string, at: number): string {
  const begun = matchAt(beginnings, text, at);
  const end = at + begun.length;
  return begun + (end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 0) : "");
}

const partialEscape = String.raw`\\(?:[xX][\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|[0-3][0-7]?)?`;
const beginnings = new RegExp(
  String.raw`"(?:${escape}|[^\\"\n\r])*(?:${partialEscape})?|'(?:${escape}|[^\\'\n\r])*(?:${partialEscape})?|${"`"}[A-Za-z0-9_./ -]*|[=&|]`,
  "y",
);

function shown(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
