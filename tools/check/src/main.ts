import { availableParallelism } from "node:os";
import { scriptOptions } from "@kaji-tools/script-options";
import { packageSteps, sourceSteps } from "./check-steps.ts";
import { nowMs, runSteps } from "./step.ts";
import type { Outcome } from "./step.ts";
import { readWorkspace } from "./workspace.ts";

const usage = `usage: npm run check            types, unused code, lint, boundaries, links, formatting, API reports
       npm run check:packages   whether the built packages are fit to be published`;

const root = process.cwd();
const { values } = scriptOptions({ name: "check", usage, options: { packages: { type: "boolean", default: false } } });
const steps = values.packages ? packageSteps(readWorkspace(root)) : sourceSteps;
const columns = Math.max(...steps.map(({ name }) => name.length)) + 2;

const startedMs = nowMs();
const outcomes = await runSteps(steps, { root, width: Math.min(2, availableParallelism()), report: print });
const failed = outcomes.filter(({ type }) => type !== "Passed").map(({ step }) => step.name);
const verdict = failed.length === 0 ? "all is well" : `failed: ${failed.join(", ")}`;
process.stdout.write(`${verdict} (${seconds(nowMs() - startedMs)})\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function print(outcome: Outcome): void {
  const name = outcome.step.name.padEnd(columns);
  switch (outcome.type) {
    case "Passed":
      process.stdout.write(`✓ ${name}${seconds(outcome.durationMs)}\n`);
      return;
    case "Failed":
      process.stdout.write(`✗ ${name}${seconds(outcome.durationMs)}\n${outcome.output.trimEnd()}\n`);
      return;
    case "Skipped":
      process.stdout.write(`- ${name}skipped: ${outcome.step.after} failed\n`);
      return;
    default:
      outcome satisfies never;
  }
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
