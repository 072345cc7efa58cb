import type { Resource } from "@kaji/core";
import type { ApiCaller } from "./request/api-caller.ts";
import { collectionPath } from "./request/object-address.ts";
import { listQuery, watchQuery } from "./request/read-options.ts";
import type { ListOptions, WatchOptions } from "./request/read-options.ts";
import type { Selection } from "./request/selection.ts";

/** Which objects are mirrored, and how much of them. */
export interface ListerWatcherOptions extends Selection {
  /** Asks for `PartialObjectMetadata`: no more than apiVersion, kind and metadata of each object. Default false. */
  readonly metadataOnly?: boolean | undefined;
}

/**
 * Lists and watches one selection of one kind, in the bytes of the server: what an informer needs, which parses late.
 * Nothing is repeated here, and an answer may take its time: that an informer knows better.
 */
export interface ListerWatcher {
  /** One page of the list, as JSON. Items of built-in kinds come without `apiVersion` and `kind`. */
  list(options: Omit<ListOptions, keyof Selection>): Promise<Uint8Array>;
  /**
   * Resolves when the server has accepted the watch, to its body: a JSON object `{"type":…,"object":…}` on each line, in pieces that end
   * anywhere. They are views of larger buffers: whoever keeps one, copies it.
   */
  watch(options: Omit<WatchOptions, keyof Selection>): Promise<AsyncIterable<Uint8Array>>;
}

/** A lister and watcher that makes its requests with a caller. */
export function listerWatcher(caller: ApiCaller, resource: Resource, options: ListerWatcherOptions): ListerWatcher {
  const { metadataOnly = false, ...selection } = options;
  const request = { method: "GET", path: collectionPath(resource, selection.namespace) } as const;
  const accept = (kind: string): string => (metadataOnly ? `application/json;as=${kind};g=meta.k8s.io;v=v1` : "application/json");
  return {
    list({ signal, ...page }) {
      return caller.bytes({ ...request, accept: accept("PartialObjectMetadataList"), query: listQuery({ ...selection, ...page }), signal });
    },
    watch({ signal, ...from }) {
      const query = watchQuery({ ...selection, ...from });
      return caller.stream({ ...request, accept: accept("PartialObjectMetadata"), query, signal });
    },
  };
}
