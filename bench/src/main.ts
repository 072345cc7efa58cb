import { refuseUse, scriptOptions } from "@kaji-tools/script-options";
import { FlagError, sizeFlags } from "./flags.ts";
import type { SizeFlags } from "./flags.ts";
import { writePlot } from "./plot.ts";
import { formatReport, writeReport } from "./report.ts";
import type { Report } from "./report.ts";

/** Each benchmark is loaded when it is asked for. */
const benchmarks: Readonly<Record<string, (flags: SizeFlags) => Promise<Report>>> = {
  admission: async (flags) => (await import("./admission/admission.ts")).benchmark(flags),
  apiserver: async () => (await import("./apiserver/apiserver.ts")).benchmark(),
  authorization: async () => (await import("./authorization/authorization.ts")).benchmark(),
  cluster: async () => (await import("./cluster/cluster.ts")).benchmark(),
  explore: async () => (await import("./explore/explore.ts")).benchmark(),
  faults: async (flags) => (await import("./faults/faults.ts")).benchmark(flags),
  import: async () => (await import("./import-cost/import-cost.ts")).benchmark(),
  informer: async (flags) => (await import("./informer/informer.ts")).benchmark(flags),
  "new-user": async () => (await import("./new-user/new-user.ts")).benchmark(),
  reconcile: async (flags) => (await import("./reconcile/reconcile.ts")).benchmark(flags),
  queue: async () => (await import("./queue/queue.ts")).benchmark(),
  transport: async () => (await import("./transport/transport.ts")).benchmark(),
};

const usage = `usage: npm run bench -- NAME [--json FILE], where NAME is one of: ${Object.keys(benchmarks).join(", ")}
  admission: --objects 4000
  informer: --objects 10000,50000 --growth 100000 --updates 50000 --rounds 3 --plot FILE --subjects kaji,controller-runtime,client-node,kube-rs
  reconcile: --bars 2000 --rounds 3 --subjects …
`;

const { values, positionals } = scriptOptions({
  name: "bench",
  usage,
  allowPositionals: true,
  options: { ...sizeFlags, json: { type: "string" }, plot: { type: "string" } },
});
const [name = ""] = positionals;
const run = benchmarks[name] ?? refuseUse("bench", name === "" ? "no benchmark is named" : `unknown benchmark '${name}'`);
const report = await run(values).catch((error: unknown) => {
  if (error instanceof FlagError) refuseUse("bench", error.message);
  throw error;
});
process.stdout.write(`${formatReport(report)}\n`);
if (values.json !== undefined) await writeReport(values.json, report);
if (values.plot !== undefined) await writePlot(values.plot, report);
