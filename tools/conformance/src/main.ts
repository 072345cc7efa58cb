import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startControlPlane } from "@kaji/cluster";
import { runSuite } from "./run-suite.ts";
import type { SpecResult } from "./spec-report.ts";

const usage = `usage: npm run conformance -- [--focus RE] [--skip RE] [--json FILE] [--timeout MINUTES]

Runs the official conformance tests of Kubernetes whose names match against the embedded control plane, and prints a line for each.
Example: npm run conformance -- --focus 'Watchers|FieldValidation'
`;

const { values } = parseArgs({
  options: {
    focus: { type: "string", default: String.raw`\[Conformance\]` },
    skip: { type: "string" },
    json: { type: "string" },
    timeout: { type: "string", default: "60" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(usage);
else process.exitCode = await main(values.focus, values.skip, values.json, Number(values.timeout));

async function main(focus: string, skip: string | undefined, jsonFile: string | undefined, timeoutMinutes: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "kaji-conformance-data-"));
  try {
    await using plane = await startControlPlane({ folder, storage: "memory", nodes: 2 });
    const tests = await runSuite({ kubeconfig: plane.kubeconfig, focus, skip, timeoutMinutes });
    for (const test of tests) process.stdout.write(`${lineOf(test)}\n`);
    const failed = tests.filter(({ result }) => result === "failed").length;
    const passed = tests.length - failed;
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    if (jsonFile !== undefined)
      await writeFile(jsonFile, `${JSON.stringify({ total: tests.length, passed, failed, tests }, undefined, 2)}\n`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lineOf({ name, result, seconds, failure }: SpecResult): string {
  const line = `${result === "passed" ? "ok  " : "FAIL"} ${name} (${seconds} s)`;
  return failure === undefined ? line : `${line}\n       ${failure.replaceAll("\n", "\n       ")}`;
}
