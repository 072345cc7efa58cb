import { parseTime } from "@kaji/core";
import { labelsText, metricsText } from "../server-metrics/metric-family.ts";
import type { MetricFamily } from "../server-metrics/metric-family.ts";
import type { NodeStats, UsageStats } from "./node-stats.ts";

/** The metrics of a kubelet as Prometheus reads them: how much it runs, or with `/metrics/resource` what that uses. */
export function nodeMetrics(path: "/metrics" | "/metrics/resource", stats: NodeStats): string {
  const families = path === "/metrics" ? runningFamilies(stats) : resourceFamilies(stats);
  return metricsText(families);
}

function runningFamilies({ node, pods }: NodeStats): readonly MetricFamily[] {
  const running = pods.filter(({ containers }) => containers.length > 0);
  const containers = running.reduce((sum, pod) => sum + pod.containers.length, 0);
  const family = (name: string, help: string, sample: string): MetricFamily => ({ name, type: "gauge", help, samples: [name + sample] });
  return [
    family("kubelet_node_name", "The node's name. The count is always 1.", `${labelsText({ node: node.nodeName })} 1`),
    family("kubelet_running_containers", "Number of containers currently running", `{container_state="running"} ${containers}`),
    family("kubelet_running_pods", "Number of pods that have a running pod sandbox", ` ${running.length}`),
  ];
}

function resourceFamilies({ node, pods }: NodeStats): readonly MetricFamily[] {
  const containers = pods.flatMap(({ podRef, containers: all }) =>
    all.map((stats) => ({ labels: { container: stats.name, namespace: podRef.namespace, pod: podRef.name }, stats })),
  );
  const ofPods = pods.map((stats) => ({ labels: { namespace: stats.podRef.namespace, pod: stats.podRef.name }, stats }));
  return [
    ...usageFamilies("container", containers),
    ...usageFamilies("node", [{ labels: {}, stats: node }]),
    ...usageFamilies("pod", ofPods),
  ];
}

interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly stats: UsageStats;
}

function usageFamilies(what: string, all: readonly Labelled[]): readonly MetricFamily[] {
  const samples = (name: string, valueOf: (stats: UsageStats) => number | undefined): readonly string[] =>
    all.flatMap(({ labels, stats }) => {
      const value = valueOf(stats);
      if (value === undefined || stats.cpu === undefined) return [];
      return [`${name}${labelsText(labels)} ${value} ${parseTime(stats.cpu.time)}`];
    });
  const [cpu, memory] = [`${what}_cpu_usage_seconds_total`, `${what}_memory_working_set_bytes`];
  const seconds = ({ cpu: used }: UsageStats): number | undefined => (used === undefined ? undefined : used.usageCoreNanoSeconds / 1e9);
  return [
    { name: cpu, type: "counter", help: `Cumulative cpu time consumed by the ${what} in core-seconds`, samples: samples(cpu, seconds) },
    {
      name: memory,
      type: "gauge",
      help: `Current working set of the ${what} in bytes`,
      samples: samples(memory, (stats) => stats.memory?.workingSetBytes),
    },
  ];
}
