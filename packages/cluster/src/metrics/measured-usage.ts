import { Quantity, formatDuration, formatTime, objectOf, parseJsonBytes } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { Storage } from "@kaji/apiserver";
import type { Pod } from "@kaji/types/core/v1";
import { measuringMs } from "../kubelet/load-meter.ts";
import { runningContainers } from "../kubelet/node-stats.ts";
import { podOf } from "../kubelet/pod-log.ts";
import type { ContainerUsage, PodRuntime, ProcessorLoad } from "../kubelet/pod-runtime.ts";
import type { NodeMetrics, PodMetrics, ResourceUsage } from "./resource-metrics.ts";

/** What pods and nodes use, as far as it has been measured. */
export interface MeasuredUsage {
  /** Of the pods of a namespace, or of all. Those of which nothing is known are left out. */
  podMetrics(namespace: string | undefined, nowMs: number): readonly PodMetrics[];
  /** Of every node: what its pods use together. */
  nodeMetrics(nowMs: number): readonly NodeMetrics[];
}

/** What a runtime tells of the pods that are in a storage. */
export function measuredUsage(runtime: PodRuntime, storage: Storage): MeasuredUsage {
  const podsOf = (namespace: string | undefined): readonly Pod[] =>
    storage
      .list(`/registry/pods/${namespace === undefined ? "" : `${namespace}/`}`)
      .entries.map(({ bytes }) => podOf(parseJsonBytes(bytes)));
  return {
    podMetrics: (namespace, nowMs) => podsOf(namespace).flatMap((pod) => podMetrics(pod, measuredContainers(pod, runtime, nowMs), nowMs)),
    nodeMetrics: (nowMs) => {
      const pods = Map.groupBy(podsOf(undefined), ({ spec }) => spec?.nodeName);
      return storage.list("/registry/minions/").entries.map(({ bytes }) => {
        const node = objectOf(parseJsonBytes(bytes));
        const own = pods.get(node.metadata.name) ?? [];
        return nodeMetrics(
          node,
          own.flatMap((pod) => measuredContainers(pod, runtime, nowMs)),
          nowMs,
        );
      });
    },
  };
}

interface MeasuredContainer {
  readonly name: string;
  readonly usage: ContainerUsage;
  readonly load: ProcessorLoad;
}

/** The containers whose load has been measured. */
function measuredContainers(pod: Pod, runtime: PodRuntime, nowMs: number): readonly MeasuredContainer[] {
  if (pod.status?.phase !== "Running") return [];
  return runningContainers(pod, runtime, nowMs).flatMap(({ name, usage }) =>
    usage?.load === undefined ? [] : [{ name, usage, load: usage.load }],
  );
}

function podMetrics(pod: Pod, containers: readonly MeasuredContainer[], nowMs: number): readonly PodMetrics[] {
  if (containers.length === 0) return [];
  const { name, namespace, labels } = pod.metadata;
  return [
    {
      apiVersion: "metrics.k8s.io/v1beta1",
      kind: "PodMetrics",
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        creationTimestamp: formatTime(nowMs),
        ...(labels === undefined ? {} : { labels }),
      },
      ...measured(containers, nowMs),
      containers: containers.map((container) => ({ name: container.name, usage: usageOf([container]) })),
    },
  ];
}

function nodeMetrics({ metadata }: DynamicObject, containers: readonly MeasuredContainer[], nowMs: number): NodeMetrics {
  const { name, labels } = metadata;
  return {
    apiVersion: "metrics.k8s.io/v1beta1",
    kind: "NodeMetrics",
    metadata: { name, creationTimestamp: formatTime(nowMs), ...(labels === undefined ? {} : { labels }) },
    ...measured(containers, nowMs),
    usage: usageOf(containers),
  };
}

/** When it was measured, and for how long: that of which it is longest ago stands for all. */
function measured(containers: readonly MeasuredContainer[], nowMs: number): Pick<PodMetrics, "timestamp" | "window"> {
  const [oldest = { atMs: nowMs, windowMs: measuringMs }] = containers
    .map(({ load }) => load)
    .toSorted((left, right) => left.atMs - right.atMs);
  return { timestamp: formatTime(oldest.atMs), window: formatDuration(BigInt(Math.round(oldest.windowMs)) * 1_000_000n) };
}

/** What containers use together: processors in billionths, as metrics-server counts them. */
function usageOf(containers: readonly MeasuredContainer[]): ResourceUsage {
  const cores = containers.reduce((sum, { load }) => sum + load.cores, 0);
  const bytes = containers.reduce((sum, { usage }) => sum + usage.memoryBytes, 0);
  return {
    cpu: Quantity.parse(`${Math.round(cores * 1e9)}n`).canonical(),
    memory: Quantity.of(Math.round(bytes), "BinarySI").canonical(),
  };
}
