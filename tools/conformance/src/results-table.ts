import { plainName, withoutTags } from "./known-passes.ts";
import type { SpecResult } from "./spec-report.ts";

/** What is known of the tests of the suite. */
export interface Results {
  /** The names of all tests. */
  readonly all: readonly string[];
  /** How they ended here. */
  readonly ours: readonly SpecResult[];
  /** How they ended with the programs of Kubernetes itself. */
  readonly real: readonly SpecResult[];
}

const kept = /^\[(?:sig-|Serial|Slow)/;

/** A table in Markdown with a line for each test: how it ended, in how many seconds, and in how many with the real programs. */
export function resultsTable({ all, ours, real }: Results): string {
  const [here, there] = [byName(ours), byName(real)];
  const lines = all.map((name) => {
    const [result, theirs] = [here.get(withoutTags(name)), there.get(withoutTags(name))];
    const theirSeconds = theirs?.result === "passed" ? String(theirs.seconds) : (theirs?.result ?? "");
    return [shownName(name), result?.result ?? "not run", result === undefined ? "" : String(result.seconds), theirSeconds];
  });
  const sorted = lines.toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1));
  return tableOf([["test", "result", "seconds", "real"], ...sorted]);
}

/** What a table in Markdown has of tests that were run. */
export function earlierResults(text: string): Pick<Results, "ours" | "real"> {
  const rows = text.split("\n").map((line) => /^\| (.*?) +\| (\w+) +\| ([\d.]*) +\| ([\w.]*) +\|$/.exec(line) ?? []);
  const known = rows.map(([, name = "", result, seconds, real]) => ({ name: plainName(name), result, seconds, real }));
  return {
    ours: known.flatMap(({ name, result, seconds }) => resultOf(name, result, seconds)),
    real: known.flatMap(({ name, real }) => resultOf(name, real === "failed" ? real : "passed", real)),
  };
}

function resultOf(name: string, result: string | undefined, seconds: string | undefined): readonly SpecResult[] {
  if (result === "failed") return [{ name, result, seconds: Number(seconds) || 0 }];
  return result === "passed" && /^[\d.]+$/.test(seconds ?? "") ? [{ name, result, seconds: Number(seconds) }] : [];
}

/** A text in which the only table is another one. */
export function withTable(text: string, table: string): string {
  const lines = text.split("\n").filter((line) => !line.startsWith("| "));
  return `${lines.join("\n").trimEnd()}\n\n${table}\n`;
}

function byName(results: readonly SpecResult[]): ReadonlyMap<string, SpecResult> {
  return new Map(results.map((result) => [withoutTags(result.name), result]));
}

/** Without the tags that tell nothing of what is tested. */
function shownName(name: string): string {
  return name
    .split(/ (?=\[)|(?<=\]) /)
    .filter((part) => !part.startsWith("[") || kept.test(part))
    .join(" ")
    .replaceAll(/[|*]/g, String.raw`\$&`);
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_cell, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [lineOf(head), lineOf(widths.map((width) => "-".repeat(width))), ...rows.map(lineOf)].join("\n");
}
