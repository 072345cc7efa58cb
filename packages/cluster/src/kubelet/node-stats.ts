import { formatTime } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import type { ContainerUsage, PodRuntime } from "./pod-runtime.ts";
import { startedRunOf, statusOf } from "./started-run.ts";

/** As a kubelet tells in `/stats/summary` what its pods use. Of what only seems to run it tells nothing but that it is there. */
export interface NodeStats {
  readonly node: { readonly nodeName: string } & UsageStats;
  readonly pods: readonly PodStats[];
}

export interface PodStats extends UsageStats {
  readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly startTime: string;
  readonly containers: readonly ContainerStats[];
}

export interface ContainerStats extends UsageStats {
  readonly name: string;
  readonly startTime: string;
}

export interface UsageStats {
  readonly cpu?: { readonly time: string; readonly usageNanoCores?: number; readonly usageCoreNanoSeconds: number };
  readonly memory?: { readonly time: string; readonly usageBytes: number; readonly workingSetBytes: number; readonly rssBytes: number };
}

/** What the pods of a node use at the moment, as far as it can be told. */
export function nodeStats(nodeName: string, pods: readonly Pod[], runtime: PodRuntime, nowMs: number): NodeStats {
  const time = formatTime(nowMs);
  const used: ContainerUsage[] = [];
  const stats = pods.map((pod): PodStats => {
    const { name, namespace = "", uid = "" } = pod.metadata;
    const containers = runningContainers(pod, runtime, nowMs);
    const ofPod = containers.flatMap(({ usage }) => usage ?? []);
    used.push(...ofPod);
    return {
      podRef: { name, namespace, uid },
      startTime: pod.status?.startTime ?? time,
      containers: containers.map(({ usage, ...container }) => ({ ...container, ...usageStats(usage === undefined ? [] : [usage], time) })),
      ...usageStats(ofPod, time),
    };
  });
  return { node: { nodeName, ...usageStats(used, time) }, pods: stats };
}

/** A container that runs, and what it uses. */
export interface RunningContainer {
  readonly name: string;
  readonly startTime: string;
  readonly usage: ContainerUsage | undefined;
}

/** The containers of a pod that run at the moment, and what they use. */
export function runningContainers(pod: Pod, runtime: PodRuntime, nowMs: number): readonly RunningContainer[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  return [...containers, ...initContainers, ...ephemeralContainers].flatMap((container) => {
    const startTime = statusOf(pod, container)?.state?.running?.startedAt;
    if (startTime === undefined) return [];
    return [{ name: container.name, startTime, usage: runtime.usage(startedRunOf(pod, container, nowMs)) }];
  });
}

/** Of several what they use together; nothing of none. */
function usageStats(used: readonly ContainerUsage[], time: string): UsageStats {
  if (used.length === 0) return {};
  const cpuMs = used.reduce((sum, each) => sum + each.cpuMs, 0);
  const bytes = used.reduce((sum, each) => sum + each.memoryBytes, 0);
  return {
    cpu: { time, ...coresOf(used), usageCoreNanoSeconds: cpuMs * 1_000_000 },
    memory: { time, usageBytes: bytes, workingSetBytes: bytes, rssBytes: bytes },
  };
}

/** How busy processors were, once that has been measured. */
function coresOf(used: readonly ContainerUsage[]): { readonly usageNanoCores?: number } {
  const loads = used.flatMap(({ load }) => load ?? []);
  return loads.length === 0 ? {} : { usageNanoCores: Math.round(loads.reduce((sum, { cores }) => sum + cores, 0) * 1e9) };
}
