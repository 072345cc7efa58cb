/**
 * The keys on the way that a JSON pointer (RFC 6901) describes, from the outside in; none for the whole document.
 * Undefined when the text has no slash. As in the API server, text before the first slash does not count.
 */
export function parseJsonPointer(text: string): readonly string[] | undefined {
  if (text === "") return [];
  const [, ...keys] = text.split("/");
  return keys.length === 0 ? undefined : keys.map(unescapeKey);
}

/** The JSON pointer that leads along these keys. */
export function formatJsonPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${escapeKey(key)}`).join("");
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapeKey(key: string): string {
  return key.replaceAll(/~[01]/g, (escape) => (escape === "~0" ? "~" : "/"));
}
