import { ErrorValue } from "./value.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that bytes are in UTF-8. */
export function bytesToText(bytes: Uint8Array): string | ErrorValue {
  try {
    return utf8.decode(bytes);
  } catch {
    // The only error of the decoder is invalid UTF-8.
    return new ErrorValue("invalid UTF-8 in bytes, cannot convert to string");
  }
}

/** How many code points a text has. */
export function codePointCount(text: string): number {
  return isPlain(text) ? text.length : Array.from(text).length;
}

/** The part of a text between two positions in code points. */
export function codePointSlice(text: string, start: number, end?: number): string {
  return isPlain(text) ? text.slice(start, end) : Array.from(text).slice(start, end).join("");
}

/** Where a part is first found from a position on, in code points; -1 where it is not. */
export function codePointIndexOf(text: string, part: string, from: number): number {
  const start = isPlain(text) ? from : codePointSlice(text, 0, from).length;
  return positionOf(text, text.indexOf(part, start));
}

/** Where a part is last found that begins at a position or before, in code points; -1 where it is not. */
export function codePointLastIndexOf(text: string, part: string, from: number): number {
  const start = isPlain(text) ? from : codePointSlice(text, 0, from).length;
  return positionOf(text, text.lastIndexOf(part, start));
}

function positionOf(text: string, index: number): number {
  return index < 0 ? -1 : codePointCount(text.slice(0, index));
}

/** Whether code points are units of the string. For text in Latin-1, which nearly all is, V8 knows without looking. */
function isPlain(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text);
}
