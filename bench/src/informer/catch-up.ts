import { readFile, writeFile } from "node:fs/promises";
import { systemClock } from "@kaji/core";
import type { Load } from "../load.ts";
import { SubjectProcess } from "../peers/subject-process.ts";
import type { SubjectProgram } from "../peers/subject-program.ts";
import { touch } from "./touch.ts";
import { SeverableProxy } from "./severable-proxy.ts";

/** What one subject did in one round when it came back after changes that it had missed. */
export interface CatchUpMeasures {
  readonly caughtUpPerCpuSecond: number;
  /** What it read for that: the missed changes, or everything, if it began anew. */
  readonly caughtUpMb: number;
}

/** The server to come back to. */
interface Cluster {
  readonly server: string;
  readonly kubeconfig: string;
}

/** Every subject waits longer with each attempt that fails: the most patient one for a minute. */
const longestAwayMs = 150_000;

/**
 * Cuts all subjects off, makes changes, and lets one subject after the other come back. Each is done when it has been told of the last state of every object. How often it tried
 * to come back before it could does not count.
 */
export async function measureCatchUp(
  subjects: readonly SubjectProgram[],
  cluster: Cluster,
  load: Load,
  missed: number,
): Promise<readonly CatchUpMeasures[]> {
  await using started = new AsyncDisposableStack();
  const links: Link[] = [];
  for (const subject of subjects) {
    const proxy = started.use(await SeverableProxy.open(cluster.server));
    const env = { KUBECONFIG: await kubeconfigThrough(proxy, cluster, subject.name) };
    links.push({ name: subject.name, proxy, process: started.use(new SubjectProcess(subject, ["informer"], env)) });
  }
  await Promise.all(links.map(({ process }) => process.said("synced")));
  await Promise.all(links.map(({ process }) => process.settled()));
  await Promise.all(links.map(({ process }) => process.expect(missed)));
  for (const { proxy } of links) proxy.cut();
  await load.each(missed, (index) => touch(load, index));
  const measures: CatchUpMeasures[] = [];
  for (const link of links) measures.push(await comeBack(link, missed));
  return measures;
}

interface Link {
  readonly name: string;
  readonly proxy: SeverableProxy;
  readonly process: SubjectProcess;
}

async function comeBack({ name, proxy, process }: Link, missed: number): Promise<CatchUpMeasures> {
  const before = await process.usage();
  const bytesBefore = proxy.passedBytes;
  proxy.mend();
  const late = Promise.withResolvers<never>();
  using _timer = systemClock.timer(longestAwayMs, () =>
    late.reject(new Error(`${name} has not caught up after ${longestAwayMs / 1000} s`)),
  );
  await Promise.race([process.said("arrived"), late.promise]);
  const { cpuSeconds } = await process.usage();
  return { caughtUpPerCpuSecond: missed / (cpuSeconds - before.cpuSeconds), caughtUpMb: (proxy.passedBytes - bytesBefore) / 2 ** 20 };
}

/** A kubeconfig beside the cluster's own, which leads through the proxy. */
async function kubeconfigThrough(proxy: SeverableProxy, { server, kubeconfig }: Cluster, name: string): Promise<string> {
  const file = `${kubeconfig}-${name}`;
  await writeFile(file, (await readFile(kubeconfig, "utf8")).replaceAll(server, proxy.url), { mode: 0o600 });
  return file;
}
