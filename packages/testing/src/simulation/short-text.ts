/** So much of what there is or was written is told. */
const longest = 140;

/** The beginning of a text that is too long for a line. */
export function shortText(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
