import type { Target } from "../registry/target.ts";
import type { ResponseForm } from "../request/media-type.ts";
import type { RequestContext } from "../request/request-context.ts";
import { partialMetadata } from "../response/partial-metadata.ts";
import { includeObjectOf, toTable } from "../response/table.ts";
import { eventLine } from "./watch-event.ts";
import type { EventType, WatchEvent } from "./watch-event.ts";

/** Writes the events of one watcher in the form it asked for. */
export type EventFormatter = (event: WatchEvent, type: EventType) => Uint8Array;

/** The formatter for one watcher; a table's heads come with its first event alone. */
export function eventFormatter({ version }: Target, { query, clock }: RequestContext, { transform }: ResponseForm): EventFormatter {
  switch (transform) {
    case undefined:
    case "APIGroupDiscoveryList":
      return (event, type) => event.line(type);
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList":
      return (event, type) => event.lineOf("metadata", type, () => eventLine(type, partialMetadata(event.served(type).object)));
    case "Table": {
      const include = includeObjectOf(query);
      let withHeads = true;
      return (event, type) => {
        const { object } = event.served(type);
        const { resourceVersion = "" } = object.metadata;
        const table = toTable([object], { resourceVersion }, { version, include, nowMs: clock.now(), withHeads });
        withHeads = false;
        return eventLine(type, table);
      };
    }
    default:
      return transform satisfies never;
  }
}
