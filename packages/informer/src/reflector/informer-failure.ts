import { inspect } from "node:util";
import type { ObjectKey, Resource } from "@kaji/core";

/** What an informer asks a server for: a kind, in one namespace or in all. */
export interface WatchedKind {
  readonly resource: Resource;
  readonly namespace: string | undefined;
}

/** What went wrong in or around an informer, without ending it. */
export type InformerFailure =
  /** A request failed; it will be repeated. */
  | { readonly type: "Server"; readonly watched: WatchedKind; readonly error: unknown; readonly retryInMs: number }
  /** A subscriber threw, or rejected; it is told the next delta all the same. */
  | { readonly type: "Subscriber"; readonly error: unknown; readonly key: ObjectKey }
  /** A transform threw, or lost the object's identity; the object is left out. */
  | { readonly type: "Transform"; readonly error: unknown; readonly key: ObjectKey }
  /** A computed index threw; the object is not found by it. */
  | { readonly type: "Index"; readonly error: unknown }
  /** A listener to the state threw. */
  | { readonly type: "Listener"; readonly error: unknown };

/** Warns of the mistakes of this program; failures of the server are in the informer's state. */
export function warnOfFailure(failure: InformerFailure): void {
  if (failure.type === "Server") return;
  const where = "key" in failure ? ` at ${failure.key}` : "";
  process.emitWarning(`${failure.type.toLowerCase()} of an informer failed${where}: ${inspect(failure.error)}`, "InformerWarning");
}
