import { writeFile } from "node:fs/promises";

/** One measured figure. */
export interface Row {
  /** What was done: `durable creates, 32 connections`. */
  readonly work: string;
  /** Who did it: `kaji`, `kube-apiserver`. */
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
}

/** How kaji compares with a peer, as a factor by which it is better or smaller. */
export interface Ratio {
  readonly work: string;
  readonly versus: string;
  readonly ratio: number;
  /** What the ratio must be: at least a number, or at most. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
}

/** What a benchmark found. */
export interface Report {
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  /** Of which work a plot is drawn, if one is asked for. Default: none. */
  readonly plotted?: readonly string[];
}

/** Whether a ratio is what it should be. */
function isMet({ ratio, goal }: Ratio): boolean {
  return "atLeast" in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** The figures as a table for people. */
export function formatReport({ rows, ratios }: Report): string {
  const figures = rows.map(({ work, subject, value, unit }) => [work, subject, `${shortNumber(value)} ${unit}`]);
  const compared = ratios.map((ratio) => [
    ratio.work,
    `versus ${ratio.versus}`,
    `${shortNumber(ratio.ratio)} ×`,
    formatGoal(ratio),
    isMet(ratio) ? "met" : "missed",
  ]);
  return [...columns([["work", "subject", "value"], ...figures]), "", ...columns([["work", "", "ratio", "goal", ""], ...compared])].join(
    "\n",
  );
}

/** The same for programs. */
export async function writeReport(file: string, { rows, ratios }: Report): Promise<void> {
  const compared = ratios.map((ratio) => ({ ...ratio, goal: formatGoal(ratio), met: isMet(ratio) }));
  await writeFile(file, `${JSON.stringify({ rows, ratios: compared }, undefined, 2)}\n`);
}

function formatGoal({ goal }: Ratio): string {
  return "atLeast" in goal ? `≥ ${shortNumber(goal.atLeast)}` : `≤ ${shortNumber(goal.atMost)}`;
}

function shortNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

function columns(lines: readonly (readonly string[])[]): readonly string[] {
  const widths = lines.reduce<readonly number[]>((sofar, line) => line.map((cell, index) => Math.max(sofar[index] ?? 0, cell.length)), []);
  return lines.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
