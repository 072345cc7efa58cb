/** What the page shows, as its address names it. */
export interface Route {
  /** The id of a kind; undefined: what changes in the whole cluster. */
  readonly kind: string | undefined;
  /** An object of it, as `NAMESPACE/NAME` or `NAME`. */
  readonly object: string | undefined;
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly filter: string;
}

/** What changes in the whole cluster. */
export const home: Route = { kind: undefined, object: undefined, namespace: undefined, filter: "" };

/** Reads `#/KIND/OBJECT?namespace=…&filter=…`; what makes no sense is home. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [kind = "", ...object] = path.split("/").map(decoded);
  if (kind === "") return home;
  const parameters = new URLSearchParams(query);
  return {
    kind,
    object: object.length === 0 ? undefined : object.join("/"),
    namespace: parameters.get("namespace") ?? undefined,
    filter: parameters.get("filter") ?? "",
  };
}

/** The address of a route, which `parseRoute` reads again. */
export function formatRoute({ kind, object, namespace, filter }: Route): string {
  if (kind === undefined) return "#/";
  const parameters = new URLSearchParams();
  if (namespace !== undefined) parameters.set("namespace", namespace);
  if (filter !== "") parameters.set("filter", filter);
  const path = [kind, ...(object?.split("/") ?? [])].map(encodeURIComponent).join("/");
  return `#/${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** An address that somebody mistyped is no reason to fail. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
