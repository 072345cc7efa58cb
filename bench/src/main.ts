import { parseArgs } from "node:util";
import { sizeFlags } from "./flags.ts";
import type { SizeFlags } from "./flags.ts";
import { formatReport, writeReport } from "./report.ts";
import type { Report } from "./report.ts";

/** Each benchmark is loaded when it is asked for. */
const benchmarks: Readonly<Record<string, (flags: SizeFlags) => Promise<Report>>> = {
  apiserver: async () => (await import("./apiserver/apiserver.ts")).benchmark(),
  authorization: async () => (await import("./authorization/authorization.ts")).benchmark(),
  informer: async (flags) => (await import("./informer/informer.ts")).benchmark(flags),
  reconcile: async (flags) => (await import("./reconcile/reconcile.ts")).benchmark(flags),
  queue: async () => (await import("./queue/queue.ts")).benchmark(),
};

const usage = `usage: npm run bench -- NAME [--json FILE], where NAME is one of: ${Object.keys(benchmarks).join(", ")}
  informer: --objects 10000,50000 --updates 5000 --rounds 3 --subjects kaji,controller-runtime,client-node,kube-rs
  reconcile: --bars 2000 --rounds 3 --subjects …
`;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...sizeFlags, json: { type: "string" } } });
const [name = ""] = positionals;
const run = benchmarks[name];
if (run === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const report = await run(values);
  process.stdout.write(`${formatReport(report)}\n`);
  if (values.json !== undefined) await writeReport(values.json, report);
}
