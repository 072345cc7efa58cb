/** A text as one line: where lines ended there is a space instead, or what is put between them, and none of the white space around it. */
export function oneLine(text: string, between = " "): string {
  // A pattern for white space with a line end in it looks at each run of spaces once for each of them.
  if (!text.includes("\n")) return text;
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(between);
}
