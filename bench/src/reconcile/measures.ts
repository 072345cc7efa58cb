import { resourcePath, systemClock } from "@kaji/core";
import type { Load } from "../load.ts";
import { SubjectProcess } from "../peers/subject-process.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import { percentile } from "../statistics.ts";
import type { AuditLog } from "./audit-log.ts";
import { Bar } from "./bar.ts";

/** What one operator did in one round. */
export interface Measures {
  /** From the start of the process to the first reconcile. */
  readonly startMs: number;
  readonly barsPerSecond: number;
  /** From the start until every Bar had its Deployment and status, and all was quiet. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly requestsPerBar: number;
  /** From before a change of a Bar until it is reconciled, while nothing else happens. */
  readonly idleP50Ms: number;
  readonly idleP99Ms: number;
  /** The same, when all Bars are changed at once. */
  readonly fullP50Ms: number;
  readonly fullP99Ms: number;
  /** Writes of an operator that starts when everything is as it should be. */
  readonly secondPassWrites: number;
}

/** Where the measuring happens. */
export interface Surroundings {
  readonly kubeconfig: string;
  readonly load: Load;
  readonly audit: AuditLog;
}

/** Where the Bars are. */
export const bars: string = resourcePath(Bar, { namespace: "default" });
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const concurrency = 8;
const idleChanges = 500;
const idleMs = 40;

/** Lets one operator bring so many Bars to what they should be, follow changes, and start again. */
export async function measure(subject: SubjectProgram, surroundings: Surroundings, count: number): Promise<Measures> {
  const { load, audit } = surroundings;
  await load.each(count, (index) => load.send("POST", bars, bar(index)));
  await audit.count();
  const start = (): SubjectProcess =>
    new SubjectProcess(subject, ["reconcile", String(count), String(concurrency)], {
      KUBECONFIG: surroundings.kubeconfig,
      KAJI_METRICS_ADDRESS: "0",
      KAJI_HEALTH_ADDRESS: "0",
      KAJI_LOG_LEVEL: "warn",
    });
  const worked = await work(start, surroundings, count);
  await audit.count();
  await using again = start();
  await again.said("settled");
  await again.settled();
  const { writes } = await audit.count();
  await again[Symbol.asyncDispose]();
  for (const path of [bars, deployments]) await load.send("DELETE", path);
  return { ...worked, secondPassWrites: writes };
}

async function work(
  start: () => SubjectProcess,
  { load, audit }: Surroundings,
  count: number,
): Promise<Omit<Measures, "secondPassWrites">> {
  await using process = start();
  await process.said("reconciling");
  const reconcilingMs = systemClock.monotonic();
  await process.said("settled");
  const settledMs = systemClock.monotonic();
  const { cpuSeconds, peakMb } = await process.settled();
  const requests = await audit.count();

  const idle = Math.min(idleChanges, count);
  await process.expect(idle);
  for (let index = 0; index < idle; index++) {
    await change(load, index, 2);
    await systemClock.sleep(idleMs);
  }
  await process.said("arrived");
  const idleMsOf = await process.latencies();

  await process.expect(count);
  await load.each(count, (index) => change(load, index, 3));
  await process.said("arrived");
  const fullMsOf = await process.latencies();
  await process.settled();
  return {
    startMs: reconcilingMs - process.startMs,
    barsPerSecond: count / ((settledMs - reconcilingMs) / 1000),
    cpuSeconds,
    peakMb,
    requestsPerBar: requests.all / count,
    idleP50Ms: percentile(idleMsOf, 0.5),
    idleP99Ms: percentile(idleMsOf, 0.99),
    fullP50Ms: percentile(fullMsOf, 0.5),
    fullP99Ms: percentile(fullMsOf, 0.99),
  };
}

function bar(index: number): string {
  const spec = { deploymentName: `bar-${index}`, replicas: 1 };
  return JSON.stringify({ apiVersion: "samplecontroller.example.com/v1alpha1", kind: "Bar", metadata: { name: `bar-${index}` }, spec });
}

/** Changes a Bar so that whoever reconciles it knows when that was. */
async function change(load: Load, index: number, replicas: number): Promise<void> {
  const annotations = { "bench.kaji.dev/sent-at": String(systemClock.now()) };
  await load.send("PATCH", `${bars}/bar-${index}`, JSON.stringify({ metadata: { annotations }, spec: { replicas } }));
}
