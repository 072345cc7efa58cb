import { explore } from "@kaji/testing";
import type { ExploreOptions } from "@kaji/testing";
import { writeFileSync } from "node:fs";
import { systemClock } from "@kaji/core";
import { refuseUse, scriptOptions } from "@kaji-tools/script-options";
import type { Pair } from "./pair.ts";
import { blind, heldOut, pairs } from "./pairs.ts";

/** What came of one controller of a pair. */
interface Row {
  readonly pair: Pair;
  readonly variant: "buggy" | "fixed";
  /** Whether the buggy one was found by an oracle that is meant to, or nothing was found in the fixed one. */
  readonly passed: boolean;
  readonly oracle: string | undefined;
  readonly found: string | undefined;
  readonly foundIn: number;
  readonly runs: number;
  readonly size: string;
  readonly seconds: number;
}

const usage = `usage: npm run explore:catalogue -- [ROW ...] [--json FILE] [--write]

Explores the controllers of the catalogue, or of the rows that are named: each bug must be found, and nothing in what is fixed.
With --json, writes the results to a file; with --write, the table of packages/testing/catalogue/README.md.`;

const { values: flags, positionals: only } = scriptOptions({
  name: "explore:catalogue",
  usage,
  options: { json: { type: "string" }, write: { type: "boolean" } },
  allowPositionals: true,
});
const all = [...pairs, ...heldOut, ...blind];
const unknown = only.filter((id) => !all.some((pair) => pair.id === id));
if (unknown.length > 0) refuseUse("explore:catalogue", `there is no row ${unknown.join(", ")} in the catalogue`);
const chosen = all.filter(({ id }) => only.length === 0 || only.includes(id));
const rows: Row[] = [];
for (const pair of chosen) {
  for (const variant of ["buggy", "fixed"] as const) {
    const row = await tryOne(pair, variant);
    rows.push(row);
    process.stdout.write(`${lineOf(row)}\n`);
  }
}
process.stdout.write(`${verdicts(rows).join("\n")}\n`);
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(summary(rows), undefined, 2)}\n`);
if (flags.write === true) writeFileSync(new URL("README.md", import.meta.url), readme(rows));
process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1;

async function tryOne(pair: Pair, variant: Row["variant"]): Promise<Row> {
  const startMs = systemClock.monotonic();
  // Each pair agrees with itself on what there is outside.
  const options = {
    findings: 1,
    ...pair.options,
    controllers: pair[variant],
    loops: pair.loops?.[variant],
    budget: "30s",
  } as ExploreOptions;
  const { findings, coverage } = await explore(options);
  const meant = findings.find(({ violation }) => pair.oracles.includes(violation.oracle));
  const finding = meant ?? findings[0];
  return {
    pair,
    variant,
    passed: variant === "buggy" ? meant !== undefined : finding === undefined,
    oracle: finding?.violation.oracle,
    found: finding?.violation.message,
    foundIn: finding?.foundIn ?? 0,
    runs: coverage.runs,
    size: finding === undefined ? "" : `${finding.plan.ops.length} + ${finding.plan.faults.length}`,
    seconds: (systemClock.monotonic() - startMs) / 1000,
  };
}

function lineOf({ pair, variant, passed, oracle, found, foundIn, runs, seconds }: Row): string {
  const what = oracle === undefined ? `nothing in ${runs} runs` : `${oracle} in run ${foundIn}`;
  const detail = passed ? "" : `\n     ${found ?? pair.title}`;
  return `${passed ? "✓" : "✗"} ${pair.id.padEnd(4)} ${variant}  ${what} (${seconds.toFixed(1)} s)${detail}`;
}

/** What came of all, and of those that no oracle was fitted to. */
function verdicts(tried: readonly Row[]): readonly string[] {
  const last = tried.filter(({ pair }) => heldOut.includes(pair) || blind.includes(pair));
  return [verdict(tried), ...(last.length === 0 ? [] : [`of those written last: ${verdict(last)}`])];
}

function verdict(tried: readonly Row[]): string {
  const [buggy, fixed] = [tried.filter(({ variant }) => variant === "buggy"), tried.filter(({ variant }) => variant === "fixed")];
  const found = buggy.filter(({ passed }) => passed).length;
  const flagged = fixed.filter(({ passed }) => !passed).length;
  return `found ${found} of ${buggy.length} bugs, flagged ${flagged} of ${fixed.length} fixed controllers`;
}

function summary(tried: readonly Row[]): object {
  const tests = tried.map(({ pair, variant, passed, seconds }) => ({
    name: `${pair.id} ${variant}: ${pair.title}`,
    result: passed ? "passed" : "failed",
    seconds,
  }));
  const passed = tried.filter((row) => row.passed).length;
  return { total: tried.length, passed, failed: tried.length - passed, tests };
}

function readme(tried: readonly Row[]): string {
  const rowsOf = (group: readonly Pair[]): readonly Row[] => tried.filter(({ pair }) => group.includes(pair));
  const [fitted, held, unseen] = [rowsOf(pairs), rowsOf(heldOut), rowsOf(blind)];
  return `# Catalogue

Bugs that shipped in real operators, each re-created as a small controller, beside one without it. \`npm run explore:catalogue\` explores them all:
every buggy one must be found, by an oracle that is meant to find it, and nothing may be found in a fixed one. This table is written by
\`npm run explore:catalogue -- --write\`.

"Run" is the number of the plan that found it; run 1 is the one in which nothing goes wrong. "Size" is what is left after shrinking: operations + faults.

All together: ${verdict(tried)}.

## Tried while the oracles were written

${table(fitted)}

## Written last

These came when nearly all of the oracles were done: ${verdict(held)}. [How it is kept honest](../../../docs/fault-exploration.md#how-it-is-kept-honest) says how the first try went.

${table(held)}

## Written blind

These came after the oracles were frozen, and were tried once before anything was changed: ${verdict(unseen)} now; the same page says what the first try found.

${table(unseen)}
`;
}

function table(tried: readonly Row[]): string {
  const lines = tried
    .filter(({ variant }) => variant === "buggy")
    .map(
      ({ pair, passed, oracle = "not found", foundIn, size }) =>
        `| ${pair.id} | ${pair.title} | ${pair.source} | ${passed ? oracle : "not found"} | ${foundIn} | ${size} |`,
    );
  return ["| row | bug | source | found by | run | size |", "| --- | --- | --- | --- | --- | --- |", ...lines].join("\n");
}
