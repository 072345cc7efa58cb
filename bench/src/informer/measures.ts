import { systemClock } from "@kaji/core";
import type { Load } from "../load.ts";
import { SubjectProcess } from "../peers/subject-process.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import { percentile } from "../statistics.ts";
import { widgets } from "./widget.ts";

/** What one subject did in one round, alone with the server. */
export interface Measures {
  /** From the start of the process until one request was answered. */
  readonly firstCpuSeconds: number;
  readonly firstResidentMb: number;
  /** From the start of the process until all objects were there and it had come to rest. */
  readonly syncCpuSeconds: number;
  readonly settledMb: number;
  readonly peakMb: number;
  /** From before a write until the handler was called, while nothing else happens. */
  readonly calmP50Ms: number;
  readonly calmP99Ms: number;
  /** While the server makes as many updates as it can. */
  readonly updatesPerCpuSecond: number;
  readonly burstP50Ms: number;
  readonly burstP99Ms: number;
}

const calmWrites = 200;

/** Lets one subject mirror what the server has, follow a few changes, one at a time, and then a burst of them. */
export async function measure(subject: SubjectProgram, kubeconfig: string, load: Load, updates: number): Promise<Measures> {
  const env = { KUBECONFIG: kubeconfig };
  const first = await firstRequest(subject, env);
  await using process = new SubjectProcess(subject, ["informer"], env);
  await process.said("synced");
  const synced = await process.settled();
  const calm = await follow(process, calmWrites, async () => {
    for (let index = 0; index < calmWrites; index++) await touch(load, index);
  });
  const burst = await follow(process, updates, () => load.each(updates, (index) => touch(load, index)));
  return {
    ...first,
    syncCpuSeconds: synced.cpuSeconds,
    settledMb: synced.residentMb,
    peakMb: synced.peakMb,
    calmP50Ms: percentile(calm.latenciesMs, 0.5),
    calmP99Ms: percentile(calm.latenciesMs, 0.99),
    updatesPerCpuSecond: updates / burst.cpuSeconds,
    burstP50Ms: percentile(burst.latenciesMs, 0.5),
    burstP99Ms: percentile(burst.latenciesMs, 0.99),
  };
}

/** How long the changes took until the subject's handler was called, and what they cost it. */
async function follow(
  process: SubjectProcess,
  changes: number,
  write: () => Promise<void>,
): Promise<{ readonly latenciesMs: readonly number[]; readonly cpuSeconds: number }> {
  await process.expect(changes);
  const before = await process.usage();
  await write();
  await process.said("arrived");
  const after = await process.usage();
  return { latenciesMs: await process.latencies(), cpuSeconds: after.cpuSeconds - before.cpuSeconds };
}

/** What Node takes before it has loaded anything, in megabytes. */
export async function bareNodeMb(): Promise<number> {
  const script = `process.stdout.write('{"event":"answered"}\\n'); process.stdin.resume()`;
  const node: SubjectProgram = { name: "node", command: process.execPath, args: ["--input-type=module", "--eval", script] };
  return (await firstRequest(node, {})).firstResidentMb;
}

async function firstRequest(
  subject: SubjectProgram,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Measures, "firstCpuSeconds" | "firstResidentMb">> {
  await using process = new SubjectProcess(subject, ["first"], env);
  await process.said("answered");
  const { cpuSeconds, residentMb } = await process.usage();
  return { firstCpuSeconds: cpuSeconds, firstResidentMb: residentMb };
}

/** Changes an object so that whoever sees the change knows when it was made. */
function touch(load: Load, index: number): Promise<unknown> {
  const annotations = { "bench.kaji.dev/sent-at": String(systemClock.now()) };
  return load.send("PATCH", `${widgets}/widget-${index}`, JSON.stringify({ metadata: { annotations } }));
}
