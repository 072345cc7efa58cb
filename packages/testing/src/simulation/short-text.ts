/** So much of what there is or was written is told. */
const longest = 140;
/** So much of an error is told, from its beginning and from its end. */
const longestHalf = 140;

/** The beginning of a text that is too long for a line. */
export function shortText(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** An error without its middle, which is some value: it begins with what is wrong and ends with why. */
export function shortError(text: string): string {
  return text.length > 2 * longestHalf ? `${text.slice(0, longestHalf)} … ${text.slice(-longestHalf)}` : text;
}
