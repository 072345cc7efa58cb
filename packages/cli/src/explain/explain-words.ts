import type { TimedReport } from "@kaji/runtime/reports";
import type { Screen } from "../command.ts";
import { counted } from "../counted.ts";
import { results } from "../dev/dev-log.ts";
import { deedWords, readWords, spanWords, triggerWords } from "../dev/reconcile-words.ts";
import { projectPlace } from "../project/project-place.ts";

/** With what a report is told. */
export interface TellingOptions {
  /** The folder from which places in errors are told. */
  readonly folder: string;
  readonly screen?: Screen | undefined;
}

const indent = " ".repeat("00:00:00  ".length);

/** A line for each object, with how often it was reconciled and how that ended at last. */
export function summaryOf(reports: readonly TimedReport[]): string {
  const objects = [...Map.groupBy(reports, nameOf)];
  const width = Math.max(...objects.map(([name]) => name.length));
  return objects
    .map(([name, own]) => {
      const last = own.at(-1);
      const end = last === undefined ? "" : `, the last at ${timeOf(last)}: ${results[last.outcome][0]}`;
      return `${name.padEnd(width)}  ${counted(own.length, "reconcile")}${end}\n`;
    })
    .join("");
}

/** Why the object was reconciled, what that read and wrote, and how it ended. */
export function storyOf(report: TimedReport, { folder, screen }: TellingOptions): string {
  const [word, paint] = results[report.outcome];
  const painted = screen?.paint(paint, word) ?? word;
  const head = `${timeOf(report)}  ${triggerWords(report, Infinity)}: ${painted} in ${spanWords(report.durationMs)}, by ${report.controller}`;
  return [head, ...detailsOf(report, folder).map((line) => indent + line)].map((line) => `${line}\n`).join("");
}

/** How an object is called: `Website default/shop`. */
export function nameOf({ object }: TimedReport): string {
  return `${object.kind} ${object.key}`;
}

function detailsOf(report: TimedReport, folder: string): readonly string[] {
  const { error, writes, calls = [], requeueAfterMs } = report;
  const read = readWords(report, Infinity);
  const unchanged = [
    ...writes.filter(({ result }) => result === "Unchanged").map(({ kind, key, verb }) => `${verb} ${kind} ${key}`),
    ...calls.filter(({ result }) => result === "Intact").map(({ effect }) => `effect ${effect}`),
  ];
  // That of a reconcile that failed for it is told as its end.
  const refusals = writes.flatMap(({ kind, key, verb, error: refusal }) =>
    refusal === undefined || refusal.message === error?.message ? [] : [`${verb} ${kind} ${key}: ${refusal.message}`],
  );
  const place = error === undefined ? undefined : projectPlace(error.stack, folder);
  return [
    ...(read === undefined ? [] : [read]),
    ...deedWords(report, Infinity),
    ...new Set(refusals),
    ...(unchanged.length === 0 ? [] : [`as wanted already: ${[...new Set(unchanged)].join(", ")}`]),
    ...(error === undefined ? [] : [`${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`]),
    ...(requeueAfterMs === undefined ? [] : [`again in ${spanWords(requeueAfterMs)}`]),
  ];
}

function timeOf({ at }: TimedReport): string {
  return new Date(at).toTimeString().slice(0, 8);
}
