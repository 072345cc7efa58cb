import { startCluster } from "@kaji/cluster";
import type { Cluster } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import { median } from "../statistics.ts";
import { createDeployment } from "./deployments.ts";
import { large } from "./protocol.ts";
import type { LargeMeasures } from "./protocol.ts";

const rounds = 50;
/** Rounds before the compiler has little left to do. */
const warmUps = 30;

/** What it costs to make a fork and to dispose of it: the median of many. */
export async function forkMs(cluster: Cluster): Promise<number> {
  const snapshot = await cluster.snapshot();
  return medianOf(async () => {
    await using _fork = await snapshot.restore();
  });
}

/**
 * What a test pays for having a cluster of its own instead of one that runs already. Both do the same, and in turn, so that neither has the warmer code or the better minute; the one that
 * runs has rolled out something before, once, since after some more its kubelet would leave out events that those of forks write.
 */
export async function testOverheadMs(cluster: Cluster): Promise<number> {
  const snapshot = await cluster.snapshot();
  const [inRunning, inForks]: [number[], number[]] = [[], []];
  for (let round = 0; round < warmUps + rounds; round++) {
    await using running = await snapshot.restore();
    await rollOut(running, "before");
    const runningMs = await timed(() => rollOut(running, "web"));
    const forkMs = await timed(async () => {
      await using fork = await snapshot.restore();
      await rollOut(fork, "web");
    });
    if (round < warmUps) continue;
    inRunning.push(runningMs);
    inForks.push(forkMs);
  }
  return median(inForks) - median(inRunning);
}

/** Fills a cluster, and waits until it has come to rest; its memory is that of the process, before anybody looks at what has come of it. */
export async function largeCluster(): Promise<LargeMeasures> {
  await using cluster = await startCluster({ nodes: large.nodes });
  const startMs = systemClock.monotonic();
  for (let index = 0; index < large.deployments; index++) await createDeployment(cluster.client, `large-${index}`, large.replicas);
  await cluster.settled();
  const settleMs = systemClock.monotonic() - startMs;
  const residentMb = process.memoryUsage.rss() / 1024 ** 2;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const pods = (await cluster.client.list(Pod)).items;
  const running = pods.filter(({ status }) => status?.phase === "Running").length;
  if (running !== large.deployments * large.replicas) throw new Error(`${running} pods run`);
  return { settleMs, residentMb, peakMb };
}

async function rollOut(cluster: Cluster, name: string): Promise<void> {
  await createDeployment(cluster.client, name, 3);
  await cluster.settled();
}

async function medianOf(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(work));
  return median(times);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = systemClock.monotonic();
  await work();
  return systemClock.monotonic() - startMs;
}
