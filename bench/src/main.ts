import { parseArgs } from "node:util";
import { formatReport, writeReport } from "./report.ts";
import type { Report } from "./report.ts";

/** Each benchmark is loaded when it is asked for. */
const benchmarks: Readonly<Record<string, () => Promise<Report>>> = {
  apiserver: async () => (await import("./apiserver/apiserver.ts")).benchmark(),
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } });
const [name = ""] = positionals;
const run = benchmarks[name];
if (run === undefined) {
  process.stderr.write(`usage: npm run bench -- NAME [--json FILE], where NAME is one of: ${Object.keys(benchmarks).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const report = await run();
  process.stdout.write(`${formatReport(report)}\n`);
  if (values.json !== undefined) await writeReport(values.json, report);
}
