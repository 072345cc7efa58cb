import { formatApiVersion, jsonOf, objectOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { includeObjectOf, partialMetadata } from "@kaji/core/serving";
import type { ResponseForm } from "@kaji/core/serving";
import type { Target } from "../registry/target.ts";
import type { RequestContext } from "../request/request-context.ts";
import { toTable } from "../response/table.ts";
import { eventLine } from "./watch-event.ts";
import type { EventType, WatchEvent } from "./watch-event.ts";

/** Writes the events of one watcher in the form it asked for. */
export interface EventFormatter {
  event(event: WatchEvent, type: EventType): Uint8Array;
  /** How far the watcher has seen all there is. */
  bookmark(metadata: BookmarkMetadata): Uint8Array;
}

/** All that the object of a bookmark has. */
export interface BookmarkMetadata {
  readonly resourceVersion: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The formatter for one watcher; a table's heads come with its first event alone. */
export function eventFormatter(target: Target, { query, clock }: RequestContext, form: ResponseForm): EventFormatter {
  const { transform, transformVersion } = form;
  switch (transform) {
    case undefined:
    case "APIGroupDiscoveryList":
      return {
        event: (event, type) => event.line(type),
        bookmark: (metadata) => eventLine("BOOKMARK", bookmarkObject(target, metadata)),
      };
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList": {
      const reduced = (object: DynamicObject): unknown => partialMetadata(object, transformVersion);
      return {
        event: (event, type) =>
          event.lineOf(`metadata ${transformVersion}`, type, () => eventLine(type, reduced(event.served(type).object))),
        bookmark: (metadata) => eventLine("BOOKMARK", reduced(bookmarkObject(target, metadata))),
      };
    }
    case "Table": {
      const options = { version: target.version, tableVersion: transformVersion, include: includeObjectOf(query) };
      let withHeads = true;
      const tableOf = (object: DynamicObject): unknown => {
        const { resourceVersion = "" } = object.metadata;
        const table = toTable([object], { resourceVersion }, { ...options, nowMs: clock.now(), withHeads });
        withHeads = false;
        return table;
      };
      return {
        event: (event, type) => eventLine(type, tableOf(event.served(type).object)),
        bookmark: (metadata) => eventLine("BOOKMARK", tableOf(bookmarkObject(target, metadata))),
      };
    }
    default:
      return transform satisfies never;
  }
}

/** An object that is all empty, as Go writes it, but for how far it goes. */
function bookmarkObject({ kind, version }: Target, metadata: BookmarkMetadata): DynamicObject {
  const apiVersion = formatApiVersion({ group: kind.group, version: version.version });
  // It stands for no object, so it has no name.
  return objectOf({ kind: kind.kind, apiVersion, ...version.empty, metadata: jsonOf(metadata) });
}
