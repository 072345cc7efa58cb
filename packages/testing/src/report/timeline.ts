import type { TraceEntry } from "../simulation/trace-entry.ts";
import { excerpt } from "./excerpt.ts";
import { momentsOf } from "./moments.ts";
import type { Moment } from "./moments.ts";
import { folded } from "./repeats.ts";
import type { Again } from "./repeats.ts";

const lookHere = "   ◄ look here";

/** What happened, line by line, with what the operator saw where that was not what there was, and a mark at the culprit. */
export function timeline(entries: readonly TraceEntry[], culprit?: TraceEntry): readonly string[] {
  const moments = momentsOf(entries);
  const lines = folded(
    moments,
    moments.find(({ entry }) => entry === culprit),
  );
  const width = Math.max(8, ...moments.map(({ atMs }) => secondsText(atMs).length));
  const told = lines.map((line) =>
    "type" in line ? `${" ".repeat(width + 3)}${again(line)}` : `${textLine(line, width)}${line.entry === culprit ? lookHere : ""}`,
  );
  const indexOf = (isIt: (entry: TraceEntry) => boolean): number => lines.findIndex((line) => !("type" in line) && isIt(line.entry));
  return excerpt(
    told,
    indexOf(({ type }) => type === "Fault"),
    indexOf((entry) => entry === culprit),
  );
}

function textLine({ atMs, who, what, written, stale }: Moment, width: number): string {
  const sights = stale.map(({ seen, truth }) => `${seen}, though ${truth}`);
  const aside = sights.length === 0 ? "" : `   ← sees ${sights.join("; ")}`;
  return `${secondsText(atMs).padStart(width)}s  ${who.padEnd(11)} ${what}${written === "" ? "" : ` ${written}`}${aside}`;
}

function secondsText(atMs: number): string {
  return (atMs / 1000).toFixed(3);
}

/** Says how often what stands before it happens again. */
export function again({ lines, times, untilMs }: Again): string {
  const what = lines === 1 ? "the same" : `these ${lines}`;
  return `… ${what} again ${times === 1 ? "once" : `${times} times`}, until ${secondsText(untilMs)} s`;
}
