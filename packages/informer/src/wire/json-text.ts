/** The text between two offsets. */
export function readText(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}

/** What the string literal between two offsets, quotes included, says; empty if there is something else, as an absent text is in the API. */
export function readString(bytes: Buffer, start: number, end: number): string {
  if (bytes[start] !== quote) return "";
  return hasEscape(bytes, start, end) ? String(JSON.parse(readText(bytes, start, end))) : readText(bytes, start + 1, end - 1);
}

/** Whether the string literal between two offsets says this, which is plain ASCII. */
export function isString(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (end - start !== text.length + 2) return hasEscape(bytes, start, end) && readString(bytes, start, end) === text;
  for (let index = 0; index < text.length; index++) if (bytes[start + 1 + index] !== text.charCodeAt(index)) return false;
  return bytes[start] === quote;
}

/** Whether there is a string literal between two offsets that has something in it, and nothing that is escaped. */
export function isPlainString(bytes: Buffer, start: number, end: number): boolean {
  return end - start > 2 && bytes[start] === quote && !hasEscape(bytes, start, end);
}

/** Whether anything in the string literal between two offsets is escaped. */
export function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return true;
  return false;
}

/** Bytes as a Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes where there are none yet. */
export const noBytes: Buffer = Buffer.alloc(0);

const quote = 0x22;
const backslash = 0x5c;
