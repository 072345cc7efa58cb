import type { Order } from "./row-order.ts";

/** What the page shows, as its address names it. */
export interface Route {
  /** The id of a kind; undefined: what changes in the whole cluster. */
  readonly kind: string | undefined;
  /** An object of it, as `NAMESPACE/NAME` or `NAME`. */
  readonly object: string | undefined;
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly filter: string;
  /** Undefined: by name. */
  readonly order: Order | undefined;
  /** Whether changes that are heartbeats are shown, too. */
  readonly heartbeats: boolean;
  /** The log of a container of the object, of its present run or the one before; undefined: none. */
  readonly log: { readonly container: string; readonly isPrevious: boolean } | undefined;
}

/** What changes in the whole cluster. */
export const home: Route = {
  kind: undefined,
  object: undefined,
  namespace: undefined,
  filter: "",
  order: undefined,
  heartbeats: false,
  log: undefined,
};

/** Reads `#/KIND/OBJECT?namespace=…&filter=…&sort=…&heartbeats=…&log=…`; what makes no sense is home. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [kind = "", ...object] = path.split("/").map(decoded);
  const parameters = new URLSearchParams(query);
  const heartbeats = parameters.get("heartbeats") === "true";
  if (kind === "") return { ...home, heartbeats };
  const by = parameters.get("sort");
  const container = object.length === 0 ? null : parameters.get("log");
  return {
    kind,
    object: object.length === 0 ? undefined : object.join("/"),
    namespace: parameters.get("namespace") ?? undefined,
    filter: parameters.get("filter") ?? "",
    order: by === null ? undefined : { by, isDescending: parameters.get("order") === "descending" },
    heartbeats,
    log: container === null ? undefined : { container, isPrevious: parameters.get("previous") === "true" },
  };
}

/** The address of a route, which `parseRoute` reads again. */
export function formatRoute({ kind, object, namespace, filter, order, heartbeats, log }: Route): string {
  if (kind === undefined) return heartbeats ? "#/?heartbeats=true" : "#/";
  const parameters = new URLSearchParams();
  if (namespace !== undefined) parameters.set("namespace", namespace);
  if (filter !== "") parameters.set("filter", filter);
  if (order !== undefined) parameters.set("sort", order.by);
  if (order?.isDescending === true) parameters.set("order", "descending");
  if (heartbeats) parameters.set("heartbeats", "true");
  if (object !== undefined && log !== undefined) parameters.set("log", log.container);
  if (object !== undefined && log?.isPrevious === true) parameters.set("previous", "true");
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
