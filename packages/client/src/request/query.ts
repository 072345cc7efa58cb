/** Parameters of a request by name; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with its query, encoded. */
export function withQuery(path: string, query: Query = {}): string {
  let target = path;
  let separator = path.includes("?") ? "&" : "?";
  for (const name of Object.keys(query)) {
    const value = query[name];
    if (value === undefined) continue;
    target += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    separator = "&";
  }
  return target;
}
