import { readFile, writeFile } from "node:fs/promises";
import { withoutTags } from "./known-passes.ts";
import { earlierResults, resultsTable, withTable } from "./results-table.ts";
import { listSuite } from "./run-suite.ts";
import type { SpecResult } from "./spec-report.ts";

/**
 * Writes the table of `docs/conformance.md` anew, from the results of a run and of one with the real programs, if there was any. What was not run again keeps the result that the
 * table has, and of what passed twice the shorter time is kept.
 */
export async function writeTable(ours: string, real: string | undefined): Promise<void> {
  const file = new URL("../../../docs/conformance.md", import.meta.url);
  const text = await readFile(file, "utf8");
  const before = earlierResults(text);
  const results = {
    all: await listSuite(),
    ours: best(before.ours, await resultsIn(ours)),
    real: best(before.real, real === undefined ? [] : await resultsIn(real)),
  };
  await writeFile(file, withTable(text, resultsTable(results)));
}

async function resultsIn(file: string): Promise<readonly SpecResult[]> {
  const { tests }: { readonly tests: readonly SpecResult[] } = JSON.parse(await readFile(file, "utf8"));
  return tests;
}

/** The new results, and the earlier ones of what was not run again; of what passed twice, the time in which nobody was in the way. */
function best(before: readonly SpecResult[], now: readonly SpecResult[]): readonly SpecResult[] {
  const known = new Map(before.map((result) => [withoutTags(result.name), result]));
  const again = new Set(now.map(({ name }) => withoutTags(name)));
  const renewed = now.map((result) => {
    const { seconds = Infinity } = known.get(withoutTags(result.name)) ?? {};
    return result.result === "passed" ? { ...result, seconds: Math.min(result.seconds, seconds) } : result;
  });
  return [...before.filter(({ name }) => !again.has(withoutTags(name))), ...renewed];
}
