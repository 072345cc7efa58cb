/** The texts of a `Warning` header as API servers send them, `299 - "text"`; anything else in it is passed over. */
export function parseWarnings(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return [header].flat().flatMap((value) => [...value.matchAll(warning)].map(([, text = ""]) => text.replaceAll(/\\(.)/gs, "$1")));
}

/** Code, agent, and the text in quotes with `\` before quotes in it (RFC 7234, 5.5). */
const warning = /(?<=^|,)\s*299 [^\s"]+ "((?:[^"\\]|\\.)*)"/gs;
