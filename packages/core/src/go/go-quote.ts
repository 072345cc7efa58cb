const plain = /^[ !#-[\]-~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);

/** A string as Go's `%q` writes it, which is how the API server quotes values in its messages. */
export function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${Array.from(text.toWellFormed(), escapeCharacter).join("")}"`;
}

/** A string as Go's time package quotes it: each byte outside printable ASCII in hexadecimal. */
export function quoteBytes(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${Array.from(new TextEncoder().encode(text), escapeByte).join("")}"`;
}

function escapeCharacter(character: string): string {
  const escaped = escapes.get(character);
  if (escaped !== undefined) return escaped;
  if (printable.test(character)) return character;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (character < "\u0080") return `\\x${hex.padStart(2, "0")}`;
  return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

function escapeByte(byte: number): string {
  if (byte < 0x20 || byte > 0x7f) return `\\x${byte.toString(16).padStart(2, "0")}`;
  const character = String.fromCharCode(byte);
  return character === '"' || character === "\\" ? `\\${character}` : character;
}
