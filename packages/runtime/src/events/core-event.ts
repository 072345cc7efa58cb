import { formatTime } from "@kaji/core";
import type { Draft } from "@kaji/core";
import type { Event } from "@kaji/types/core/v1";
import type { EventSeries } from "./event-series.ts";

/** A series as an Event of `v1`, as the kubelet and the controllers of Kubernetes itself write it: with the first time and the last, and a count from the first on. */
export function coreEventOf(series: EventSeries): Draft<Event> {
  const { metadata, type, reason, note, regarding, related, reportingController = "" } = series.draft;
  return {
    metadata,
    involvedObject: regarding ?? {},
    ...(related === undefined ? {} : { related }),
    ...(type === undefined ? {} : { type }),
    ...(reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { message: note }),
    source: { component: reportingController },
    reportingComponent: reportingController,
    firstTimestamp: formatTime(series.firstMs),
    ...coreRepetition(series),
  };
}

/** What changes in it when it happens again. */
export function coreRepetition({ count, lastMs, lastNote }: EventSeries): Pick<Event, "count" | "lastTimestamp" | "message"> {
  return { count, lastTimestamp: formatTime(lastMs), ...(lastNote === undefined ? {} : { message: lastNote }) };
}
