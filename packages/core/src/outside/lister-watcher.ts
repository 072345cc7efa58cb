import type { Resource } from "../object/resource.ts";

/**
 * What an informer needs of an API server: one collection, listed and watched, as bytes.
 *
 * A refusal by the server is an `ApiError`, whose `details.retryAfterSeconds` is what a `Retry-After` header said; any other error means that
 * there was no answer, or that it broke off. Neither method retries or limits how long an answer may take: the informer does. Aborting the
 * signal ends a request at once, in whatever state it is.
 */
export interface ListerWatcher {
  /** One page of the list: the body, a JSON object with `metadata` and `items`. Items of built-in kinds come without `apiVersion` and `kind`. */
  list(parameters: ListParameters): Promise<Uint8Array>;
  /**
   * Resolves when the server has accepted the watch, to the body in chunks as they arrive, however they are cut: JSON objects with `type` and
   * `object`, each on a line of its own. It ends when the server closes the watch in order. A chunk is valid until the next is asked for.
   */
  watch(parameters: WatchParameters): Promise<AsyncIterable<Uint8Array>>;
}

/** Makes the ListerWatcher of a kind and a scope; a client offers it as its `listerWatcher`. */
export type ListerWatcherSource = (resource: Resource, scope: ListerWatcherScope) => ListerWatcher;

/** Which objects of a kind are meant, and how much of them. */
export interface ListerWatcherScope {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** In the text form of the API. Default: whatever the labels. */
  readonly labelSelector?: string;
  /** In the text form of the API. Default: whatever the fields. */
  readonly fieldSelector?: string;
  /** Whether to ask for `PartialObjectMetadata` instead of whole objects. Default false. */
  readonly metadataOnly?: boolean;
}

/** Parameters of a list, by their names on the wire, and the signal that ends it. */
export interface ListParameters {
  readonly limit: number;
  readonly continue?: string;
  readonly signal: AbortSignal;
}

/** Parameters of a watch, by their names on the wire (besides `watch=true`), and the signal that ends it. */
export interface WatchParameters {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan";
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}
