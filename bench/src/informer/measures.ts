import type { Load } from "../load.ts";
import { SubjectProcess } from "../peers/subject-process.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import { percentile } from "../statistics.ts";
import type { CatchUpMeasures } from "./catch-up.ts";
import { touch } from "./touch.ts";

/** What one subject did in one round while it was alone with the server. */
export interface AloneMeasures {
  /** From the start of the process until one request was answered. */
  readonly firstCpuSeconds: number;
  readonly firstResidentMb: number;
  /** From the start of the process until all objects were there and it had come to rest. */
  readonly syncCpuSeconds: number;
  readonly settledMb: number;
  readonly peakMb: number;
}

/** What one subject did in one round while all of them followed the same writes. */
export interface FollowMeasures {
  /** From before a write until the handler was called, while nothing else happens. What the server takes for a write is the same for all subjects. */
  readonly calmP50Ms: number;
  readonly calmP99Ms: number;
  readonly updatesPerCpuSecond: number;
  /** The same in a burst. */
  readonly burstP50Ms: number;
  readonly burstP99Ms: number;
}

/** What one subject did in one round. */
export type Measures = AloneMeasures & FollowMeasures & CatchUpMeasures;

const calmWrites = 500;

/** Lets one subject mirror what the server has. */
export async function measureAlone(subject: SubjectProgram, kubeconfig: string): Promise<AloneMeasures> {
  const env = { KUBECONFIG: kubeconfig };
  const first = await firstRequest(subject, env);
  await using process = new SubjectProcess(subject, ["informer"], env);
  await process.said("synced");
  const synced = await process.settled();
  return { ...first, syncCpuSeconds: synced.cpuSeconds, settledMb: synced.residentMb, peakMb: synced.peakMb };
}

/** Lets all subjects follow a few writes one after the other, and then one burst of them, which takes the server far longer than any subject. */
export async function measureFollowing(
  subjects: readonly SubjectProgram[],
  kubeconfig: string,
  load: Load,
  updates: number,
): Promise<readonly FollowMeasures[]> {
  await using started = new AsyncDisposableStack();
  const processes = subjects.map((subject) => started.use(new SubjectProcess(subject, ["informer"], { KUBECONFIG: kubeconfig })));
  const each = <R>(work: (process: SubjectProcess) => Promise<R>): Promise<readonly R[]> => Promise.all(processes.map(work));
  await each((process) => process.said("synced"));
  await each((process) => process.settled());
  await each((process) => process.expect(calmWrites));
  for (let index = 0; index < calmWrites; index++) await touch(load, index);
  const calm = await each(latenciesOfAll);
  await each((process) => process.settled());
  await each((process) => process.expect(updates));
  const before = await each((process) => process.usage());
  await load.each(updates, (index) => touch(load, index));
  const burst = await each(async (process) => {
    const latencies = await latenciesOfAll(process);
    return { latencies, after: await process.usage() };
  });
  return burst.map(({ latencies, after }, index) => ({
    calmP50Ms: percentile(calm[index] ?? [], 0.5),
    calmP99Ms: percentile(calm[index] ?? [], 0.99),
    updatesPerCpuSecond: updates / (after.cpuSeconds - (before[index]?.cpuSeconds ?? 0)),
    burstP50Ms: percentile(latencies, 0.5),
    burstP99Ms: percentile(latencies, 0.99),
  }));
}

/** How long each of the changes took that were expected, once the last of them has come. */
async function latenciesOfAll(process: SubjectProcess): Promise<readonly number[]> {
  await process.said("arrived");
  return process.latencies();
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
