import { availableParallelism } from "node:os";
import { scriptOptions, refuseUse } from "@kaji-tools/script-options";
import { failedOf, sumOf } from "./counts.ts";
import { runBatch } from "./run-batch.ts";
import type { BatchOutcome } from "./run-batch.ts";
import { isIn, testFiles } from "./test-files.ts";

const usage = `usage: npm run test:unit [-- PATH ...]

Runs the tests that need nothing but this repository, or those in some folders and files of it.

Examples:
  npm run test:unit -- packages/core
  npm run test:unit -- packages/runtime/src/queue tools/check
`;

/** So many files share a process: what they import is loaded and compiled once. With more of them the last processes would be at work alone for longer. */
const batchSize = 20;

const { positionals } = scriptOptions({ name: "test:unit", usage, options: {}, allowPositionals: true });
const all = testFiles(process.cwd());
for (const path of positionals) if (!all.some((file) => isIn(file, path))) refuseUse("test:unit", `there are no tests in ${path}`);
const files = positionals.length === 0 ? all : all.filter((file) => positionals.some((path) => isIn(file, path)));

const batches = batchesOf(files, batchSize).values();
const outcomes: BatchOutcome[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, runBatches));

const failures = outcomes.filter(({ problem }) => problem !== undefined);
for (const failure of failures) process.stdout.write(described(failure));
const counts = sumOf(outcomes.flatMap(({ counts: known }) => known ?? []));
const { tests, passed: pass, cancelled, skipped, todo } = counts;
const sums = { files: files.length, tests, pass, fail: failedOf(counts), cancelled, skipped, todo, seconds: Math.round(process.uptime()) };
for (const [name, sum] of Object.entries(sums)) process.stdout.write(`ℹ ${name} ${sum}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs one batch after the other, until none is left. */
async function runBatches(): Promise<void> {
  for (const batch of batches) {
    const outcome = await runBatch(batch, process.execArgv);
    outcomes.push(outcome);
    // Failures are told of in the end, where they are seen.
    if (outcome.problem === undefined) process.stdout.write(outcome.output);
  }
}

function batchesOf(all: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}

function described({ files: together, output, problem }: BatchOutcome): string {
  return `\n${output}\n${problem}: a process for the tests of\n${together.map((file) => `  ${file}\n`).join("")}`;
}
