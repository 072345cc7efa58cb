/** Where a text has its first letter that Go would not print, in code units; undefined if there is none. */
export function firstUnprintable(text: string): number | undefined {
  return /^[ -~]*$/.test(text) ? undefined : firstOfUnicode(text);
}

/** Apart from the rest, since the classes of Unicode take a millisecond to compile, for which plain text should not wait. */
function firstOfUnicode(text: string): number | undefined {
  return /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text)?.index;
}
