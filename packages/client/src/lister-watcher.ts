import type { ListerWatcher, ListerWatcherScope, Resource } from "@kaji/core";
import type { ApiCaller } from "./request/api-caller.ts";
import { collectionPath } from "./request/object-address.ts";
import { listQuery, watchQuery } from "./request/read-options.ts";

/** Lists and watches one selection of one kind by the requests of a caller, which must neither repeat them nor limit their time. */
export function listerWatcher(caller: ApiCaller, resource: Resource, scope: ListerWatcherScope): ListerWatcher {
  const { metadataOnly = false, ...selection } = scope;
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
