import { re2Error } from "./re2-error.ts";

/** A character that an escape stands for, and how long the escape is. */
export interface EscapedCharacter {
  readonly codePoint: number;
  readonly length: number;
}

/** Reads an escape such as `\n`, `\x{1F600}`, `\101` or `\.` at the start of a text. */
export function readEscape(text: string): EscapedCharacter {
  if (text.length < 2) throw re2Error("trailing backslash at end of expression", "");
  const letter = text[1] ?? "";
  const control = controls.get(letter);
  if (control !== undefined) return { codePoint: control, length: 2 };
  if (letter < "\u0080" && !/\w/.test(letter)) return { codePoint: letter.charCodeAt(0), length: 2 };
  if (letter === "_") return { codePoint: 0x5f, length: 2 };
  const [octal] = /^\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(text) ?? [];
  if (octal !== undefined) return { codePoint: Number.parseInt(octal.slice(1), 8), length: octal.length };
  const [all = "", braced, two] = /^\\x(?:\{([\da-fA-F]+)\}|([\da-fA-F]{2}))/.exec(text) ?? [];
  const codePoint = Number.parseInt(braced ?? two ?? "", 16);
  if (codePoint <= 0x10_ffff) return { codePoint, length: all.length };
  throw re2Error("invalid escape sequence", unreadableEscape(text));
}

/** One character in a JavaScript regular expression, inside and outside of classes alike. */
export function characterSource(codePoint: number): string {
  const letter = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9]$/.test(letter) ? letter : `\\u{${codePoint.toString(16)}}`;
}

const controls: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);

/** As far as Go reads before it gives up. */
function unreadableEscape(text: string): string {
  const [hexadecimal] = /^\\x(?:\{[\da-fA-F]*.?|[^{].?)/su.exec(text) ?? [];
  return hexadecimal ?? text.slice(0, 1) + (text.slice(1).match(/./su)?.[0] ?? "");
}
