import { writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@kaji/cluster";
import { refuseUse, scriptOptions } from "@kaji-tools/script-options";
import { focusOn, knownPasses, withoutTags } from "./known-passes.ts";
import { podPrograms } from "./pod-programs.ts";
import { startRealPlane } from "./real-plane.ts";
import { runSuite } from "./run-suite.ts";
import type { SuiteOptions } from "./run-suite.ts";
import type { SpecResult } from "./spec-report.ts";
import { writeTable } from "./write-table.ts";

const usage = `usage: npm run conformance -- [--focus RE] [--skip RE] [--json FILE] [--timeout MINUTES] [--real]
       npm run conformance -- --known SECONDS [--focus RE] [--json FILE] [--timeout MINUTES] [--real]
       npm run conformance -- --table FILE [--real-table FILE]

Runs the official conformance tests of Kubernetes whose names match against the embedded control plane, and prints a line for each.
With --known, runs those that docs/conformance.md has as passed within so many seconds, and with --focus those that match whatever time they
took, and fails unless each of them passes again.
With --real, they run against the programs of Kubernetes itself, with the same simulated nodes, for comparison.
With --table, writes the table of docs/conformance.md anew from what --json has written, without and with --real.
Examples: npm run conformance -- --focus 'Watchers|FieldValidation'
          npm run conformance -- --known 2 --focus 'Webhook|FieldSelectors'
`;

/** How long containers take to end: some tests look at a pod after they have deleted it. */
const stopMs = 300;

const { values } = scriptOptions({
  name: "conformance",
  usage,
  options: {
    focus: { type: "string" },
    skip: { type: "string" },
    known: { type: "string" },
    real: { type: "boolean", default: false },
    json: { type: "string" },
    table: { type: "string" },
    "real-table": { type: "string" },
    timeout: { type: "string", default: "60" },
  },
});
if (values.table !== undefined) await writeTable(values.table, values["real-table"]);
else process.exitCode = await main();

async function main(): Promise<number> {
  const { focus, skip, known, json, timeout } = values;
  const timeoutMinutes = positive("timeout", timeout);
  if (known === undefined) return judge(await run({ focus: focus ?? String.raw`\[Conformance\]`, skip, timeoutMinutes }), json);
  const table = await readFile(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
  const matching = focus === undefined ? [] : knownPasses(table, Infinity).filter((name) => new RegExp(focus).test(name));
  const names = [...new Set([...knownPasses(table, positive("known", known)), ...matching])];
  const tests = await run({ focus: focusOn(names), skip: undefined, timeoutMinutes });
  const ran = new Set(tests.map(({ name }) => withoutTags(name)));
  const absent = names.filter((name) => !ran.has(withoutTags(name)));
  for (const name of absent) process.stdout.write(`FAIL ${name}: it was not run\n`);
  return Math.max(judge(tests, json), absent.length === 0 ? 0 : 1);
}

function positive(option: string, text: string): number {
  const number = Number(text);
  return number > 0 ? number : refuseUse("conformance", `--${option} takes a number above 0, not '${text}'`);
}

/** Runs tests against a control plane of their own. */
async function run(options: Omit<SuiteOptions, "kubeconfig">): Promise<readonly SpecResult[]> {
  if (values.real) {
    await using plane = await startRealPlane({ stopMs });
    return await runSuite({ ...options, kubeconfig: plane.kubeconfig });
  }
  const folder = await mkdtemp(join(tmpdir(), "kaji-conformance-data-"));
  try {
    const programs = await podPrograms();
    await using plane = await startControlPlane({ folder, storage: "memory", nodes: 2, delays: { stopMs }, ...programs });
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
