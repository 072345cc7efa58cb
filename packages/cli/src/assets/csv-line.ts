/** The fields of a line of comma-separated values; what is quoted may have commas in it, and quotes that are doubled. */
export function parseCsvLine(line: string): readonly string[] {
  const fields = line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  const values = Array.from(fields, ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim());
  // After the last field the pattern finds an empty one at the very end.
  return line.trimEnd().endsWith(",") ? values : values.slice(0, -1);
}
