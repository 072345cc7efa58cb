import { shortError } from "../simulation/short-text.ts";
import { writtenIn } from "../simulation/stories.ts";
import type { Sight, TraceEntry } from "../simulation/trace-entry.ts";

/** So many objects that a reconcile looked at are named. */
const mostSights = 3;

/** Something that happened, for people. */
export interface Moment {
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
  /** What the operator wrote, in short, where it is known. */
  readonly written: string;
  /** What was looked at that was not what there was. */
  readonly stale: readonly StaleSight[];
  /** What is told of. */
  readonly entry: TraceEntry;
}

/** What an operator saw of an object, and what was true of it. */
export interface StaleSight {
  readonly seen: string;
  readonly truth: string;
}

/** What happened, as far as people want to know. */
export function momentsOf(entries: readonly TraceEntry[]): readonly Moment[] {
  const writing = new Set(entries.flatMap((entry) => (entry.type === "Write" ? [`${entry.life} ${entry.reconcile ?? ""}`] : [])));
  const ends = new Set<string>();
  return causesFirst(entries).flatMap((entry) => {
    const text = textOf(entry);
    // Each mirror hears of the same end.
    const end = entry.type === "Heard" ? `${entry.object}@${entry.version}` : undefined;
    if (text === undefined || (end !== undefined && ends.has(end))) return [];
    if (end !== undefined) ends.add(end);
    const isIdle = entry.type === "Reconcile" && !writing.has(`${entry.life} ${entry.number}`);
    const what = `${text}${isIdle ? ", and writes nothing" : ""}`;
    const stale = entry.type === "Reconcile" ? staleSights([entry.sight, ...entry.sights]) : [];
    return [{ atMs: entry.atMs, who: whoOf(entry), what, written: writtenIn(entry) ?? "", stale, entry }];
  });
}

/** A write is put down when it is answered, and what it changed may be heard of by then: people are told of the write first. */
function causesFirst(entries: readonly TraceEntry[]): readonly TraceEntry[] {
  const told: TraceEntry[] = [];
  for (const entry of entries) {
    let at = told.length;
    if (entry.type === "Write") while (isEffect(told, at - 1, entry)) at--;
    told.splice(at, 0, entry);
  }
  return told;
}

/** Whether the operator hears at that place of what a write of the same moment changed, or does not for a fault. */
function isEffect(told: readonly TraceEntry[], at: number, write: Extract<TraceEntry, { readonly type: "Write" }>): boolean {
  const entry = told[at];
  if (entry?.atMs !== write.atMs) return false;
  if (entry.type === "Heard") return Number(entry.version) > write.revision;
  return entry.type === "Fault" && "at" in entry.fault && "event" in entry.fault.at && isEffect(told, at - 1, write);
}

function whoOf(entry: TraceEntry): string {
  if (entry.type === "Heard") return "world";
  if (entry.type === "Fault") return "FAULT";
  if (entry.type === "Prompt") return "test";
  return "life" in entry ? `operator#${entry.life}` : "user";
}

function textOf(entry: TraceEntry): string | undefined {
  switch (entry.type) {
    case "Op":
    case "Fault":
    case "Prompt":
      return entry.text;
    case "OpFailed":
      return `… is refused: ${shortError(entry.error)}`;
    case "Start":
      return "starts";
    case "Crash":
      return "is killed";
    case "Write": {
      const { verb, object, subresource, code, isEffective } = entry;
      const what = `${verb.toUpperCase()} ${object}${subresource === undefined ? "" : `/${subresource}`}`;
      return `${what}${code >= 300 ? ` → ${code}` : isEffective ? "" : " (changes nothing)"}`;
    }
    case "Reconcile":
      return `${entry.isFinalizing === true ? "finalizes" : "reconciles"} ${entry.sight.object}@${entry.sight.seen ?? "?"}${looksAt(entry.sights)}`;
    case "Error":
      return `fails: ${shortError(entry.text)}`;
    case "Heard":
      return entry.anchor.event.startsWith("DELETED ") ? `${entry.object} is gone` : undefined;
    case "WebhookHeard":
    case "Ended":
      return undefined;
    default:
      return entry satisfies never;
  }
}

/** What else there was to see, where that is soon said. */
function looksAt(sights: readonly Sight[]): string {
  const found = sights.filter(({ seen: version }) => version !== undefined);
  const seen = [...new Set(found.map(({ object, seen: version }) => `${object}@${version ?? ""}`))];
  if (seen.length === 0) return "";
  const named = seen.slice(0, mostSights).join(", ");
  return `, finds ${named}${seen.length > mostSights ? ` and ${seen.length - mostSights} more` : ""}`;
}

/** Each object once, as it was first looked at. */
function staleSights(sights: readonly Sight[]): readonly StaleSight[] {
  const stale = new Map<string, StaleSight>();
  for (const { object, seen, current } of sights) {
    if (seen === current || stale.has(object)) continue;
    stale.set(object, {
      seen: seen === undefined ? `no ${object}` : `${object}@${seen}`,
      truth: current === undefined ? "it is gone" : seen === undefined ? `it is there @${current}` : `it is @${current} by now`,
    });
  }
  return [...stale.values()];
}
