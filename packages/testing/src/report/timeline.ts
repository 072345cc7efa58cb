import type { Sight, TraceEntry } from "../simulation/trace.ts";

/** So many lines are shown, from a few before the first fault. */
const mostLines = 40;

/** So many objects that a reconcile looked at are named. */
const mostSights = 3;

/** Something that happened, for people. */
export interface Moment {
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
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

/** What happened, line by line, with what the operator saw where that was not what there was. */
export function timeline(entries: readonly TraceEntry[]): readonly string[] {
  const told = momentsOf(entries).map(({ atMs, who, what, stale }) => {
    const sights = stale.map(({ seen, truth }) => `${seen}, though ${truth}`);
    const aside = sights.length === 0 ? "" : `   ← sees ${sights.join("; ")}`;
    return `${(atMs / 1000).toFixed(3).padStart(8)}s  ${who.padEnd(11)} ${what}${aside}`;
  });
  if (told.length <= mostLines) return told;
  const fault = Math.max(
    0,
    told.findIndex((line) => line.includes("FAULT")),
  );
  const first = Math.min(Math.max(0, fault - mostLines / 4), told.length - mostLines);
  const left = told.length - first - mostLines;
  return [
    ...(first > 0 ? [`… ${first} lines before`] : []),
    ...told.slice(first, first + mostLines),
    ...(left > 0 ? [`… ${left} lines more`] : []),
  ];
}

/** What happened, as far as people want to know. */
export function momentsOf(entries: readonly TraceEntry[]): readonly Moment[] {
  const writing = new Set(entries.flatMap((entry) => (entry.type === "Write" ? [`${entry.life} ${entry.reconcile ?? ""}`] : [])));
  return entries.flatMap((entry) => {
    const text = textOf(entry);
    if (text === undefined) return [];
    const isIdle = entry.type === "Reconcile" && !writing.has(`${entry.life} ${entry.number}`);
    const what = `${text}${isIdle ? ", and writes nothing" : ""}`;
    const who = "life" in entry ? `operator#${entry.life}` : entry.type === "Fault" ? "FAULT" : "user";
    return [{ atMs: entry.atMs, who, what, stale: entry.type === "Reconcile" ? staleSights([entry.sight, ...entry.sights]) : [], entry }];
  });
}

function textOf(entry: TraceEntry): string | undefined {
  switch (entry.type) {
    case "Op":
    case "Fault":
      return entry.text;
    case "OpFailed":
      return `… is refused: ${entry.error}`;
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
      return `reconciles ${entry.sight.object}@${entry.sight.seen ?? "?"}${looksAt(entry.sights)}`;
    case "Error":
      return `fails: ${entry.text}`;
    case "Heard":
    case "Ended":
      return undefined;
    default:
      return entry satisfies never;
  }
}

/** What else there was to see, where that is soon said. */
function looksAt(sights: readonly Sight[]): string {
  const seen = [...new Set(sights.map(({ object, seen: version }) => `${object}@${version ?? "?"}`))];
  if (seen.length === 0) return "";
  const named = seen.slice(0, mostSights).join(", ");
  return `, finds ${named}${seen.length > mostSights ? ` and ${seen.length - mostSights} more` : ""}`;
}

/** Each object once, as it was first looked at. */
function staleSights(sights: readonly Sight[]): readonly StaleSight[] {
  const stale = new Map<string, StaleSight>();
  for (const { object, seen, current } of sights) {
    if (seen === current || stale.has(object)) continue;
    stale.set(object, { seen: `${object}@${seen ?? "?"}`, truth: current === undefined ? "it is gone" : `there is @${current}` });
  }
  return [...stale.values()];
}
