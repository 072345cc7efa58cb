import { dns1123SubdomainErrors, formatMicroTime } from "@kaji/core";
import type { Draft, KubeObject } from "@kaji/core";
import type { ObjectReference } from "@kaji/types/core/v1";
import type { Event } from "@kaji/types/events/v1";
import type { RecordedEvent } from "./event-recorder.ts";

/** Who reports. */
export interface Reporter {
  /** Such as `bar-controller`, or with a domain, `example.com/bar-controller`. */
  readonly controller: string;
  /** Which of its processes. */
  readonly instance: string;
}

/** What happened to an object once or again and again: one Event on the server. */
export interface EventSeries {
  readonly name: string;
  readonly namespace: string;
  readonly draft: Draft<Event>;
  /** The last message, where similar events are merged into this one. */
  lastNote: string | undefined;
  /** How often it has happened. From 1 up. */
  count: number;
  readonly firstMs: number;
  lastMs: number;
  /** How often, as far as the server knows. */
  writtenCount: number;
  /** It is not written before this moment of the monotonic clock. */
  notBeforeMs: number;
}

/** Limits that the server has. */
const [longestNote, longestWord, longestName] = [1024, 128, 253];

/** What two things that happen have in common if they differ in nothing but their messages. */
export function similarityKey(about: KubeObject, { type, reason, action = reason, related }: RecordedEvent): string {
  return JSON.stringify([identity(about), type, reason, action, related === undefined ? null : identity(related)]);
}

/** What a series begins with, besides what happened. */
interface SeriesStart extends Pick<EventSeries, "notBeforeMs"> {
  readonly reporter: Reporter;
  /** Must not have been used for the object before. */
  readonly suffix: string;
  /** Of the wall clock, which the server is told. */
  readonly nowMs: number;
}

/** The beginning of a series. */
export function newSeries(about: KubeObject, event: RecordedEvent, { reporter, suffix, nowMs, notBeforeMs }: SeriesStart): EventSeries {
  const { namespace = "default" } = about.metadata;
  const name = eventName(about, suffix);
  const { type, reason, action = reason, related } = event;
  const draft: Draft<Event> = {
    metadata: { namespace, name },
    eventTime: formatMicroTime(nowMs),
    type,
    reason: reason.slice(0, longestWord),
    action: action.slice(0, longestWord),
    note: noteOf(event),
    regarding: reference(about),
    ...(related === undefined ? {} : { related: reference(related) }),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance.slice(0, longestWord),
  };
  return { name, namespace, draft, count: 1, firstMs: nowMs, lastMs: nowMs, lastNote: undefined, writtenCount: 0, notBeforeMs };
}

/** Begins as the object is called or, where that is no name for an Event, as its kind is: a ClusterRole may be called `system:node`. */
function eventName({ kind, metadata }: KubeObject, suffix: string): string {
  const name = `${metadata.name.slice(0, longestName - suffix.length - 1)}.${suffix}`;
  return dns1123SubdomainErrors(name).length === 0 ? name : `${kind.toLowerCase()}.${suffix}`;
}

function identity({ apiVersion, kind, metadata }: KubeObject): readonly unknown[] {
  return [apiVersion, kind, metadata.namespace ?? "", metadata.name, metadata.uid ?? ""];
}

function reference({ apiVersion, kind, metadata }: KubeObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** A message as the server takes it. */
export function noteOf({ message }: RecordedEvent): string {
  return cut(message, longestNote);
}

/** As much of a text as fits into so many bytes, in whole characters. */
function cut(text: string, bytes: number): string {
  const all = Buffer.from(text);
  if (all.byteLength <= bytes) return text;
  let end = bytes - 3;
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${all.toString("utf8", 0, end)}…`;
}
