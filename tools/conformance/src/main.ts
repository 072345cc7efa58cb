import { writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startControlPlane } from "@kaji/cluster";
import { focusOn, knownPasses, withoutTags } from "./known-passes.ts";
import { runSuite } from "./run-suite.ts";
import type { SuiteOptions } from "./run-suite.ts";
import type { SpecResult } from "./spec-report.ts";

const usage = `usage: npm run conformance -- [--focus RE] [--skip RE] [--json FILE] [--timeout MINUTES]
       npm run conformance -- --known SECONDS

Runs the official conformance tests of Kubernetes whose names match against the embedded control plane, and prints a line for each.
With --known, runs those that docs/conformance.md has as passed within so many seconds, and fails unless each of them passes again.
Examples: npm run conformance -- --focus 'Watchers|FieldValidation'
          npm run conformance -- --known 2
`;

const { values } = parseArgs({
  options: {
    focus: { type: "string", default: String.raw`\[Conformance\]` },
    skip: { type: "string" },
    known: { type: "string" },
    json: { type: "string" },
    timeout: { type: "string", default: "60" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const { focus, skip, known, json, timeout } = values;
  const timeoutMinutes = Number(timeout);
  if (known === undefined) return judge(await run({ focus, skip, timeoutMinutes }), json);
  const names = knownPasses(await readFile(new URL("../../../docs/conformance.md", import.meta.url), "utf8"), Number(known));
  const tests = await run({ focus: focusOn(names), skip: undefined, timeoutMinutes });
  const ran = new Set(tests.map(({ name }) => withoutTags(name)));
  const absent = names.filter((name) => !ran.has(withoutTags(name)));
  for (const name of absent) process.stdout.write(`FAIL ${name}: it was not run\n`);
  return Math.max(judge(tests, json), absent.length === 0 ? 0 : 1);
}

/** Runs tests against a control plane of their own. */
async function run(options: Omit<SuiteOptions, "kubeconfig">): Promise<readonly SpecResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "kaji-conformance-data-"));
  try {
    await using plane = await startControlPlane({ folder, storage: "memory", nodes: 2 });
    return await runSuite({ ...options, kubeconfig: plane.kubeconfig });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Says how each test ended; the exit code. */
function judge(tests: readonly SpecResult[], jsonFile: string | undefined): number {
  for (const test of tests) process.stdout.write(`${lineOf(test)}\n`);
  const failed = tests.filter(({ result }) => result === "failed").length;
  const passed = tests.length - failed;
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify({ total: tests.length, passed, failed, tests }, undefined, 2)}\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function lineOf({ name, result, seconds, failure }: SpecResult): string {
  const line = `${result === "passed" ? "ok  " : "FAIL"} ${name} (${seconds} s)`;
  return failure === undefined ? line : `${line}\n       ${failure.replaceAll("\n", "\n       ")}`;
}
