import type { Draft } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import type { HorizontalPodAutoscalerSpec, MetricSpec } from "@kaji/types/autoscaling/v2";
import { Event } from "@kaji/types/core/v1";
import type { Cluster, ClusterOptions } from "../../../cluster.ts";
import { startCluster } from "../../../start-cluster.ts";

export const web = { namespace: "default", name: "web" } as const;
const labels = { app: "web" };

/** A cluster with a Deployment `web`, and an autoscaler of the same name that has been looked at for the first time. */
export interface AutoscalerStage extends AsyncDisposable {
  readonly cluster: Cluster;
  /** Lets time go by, look by look. */
  pass(seconds: number): Promise<void>;
  /** How many replicas the Deployment should have. */
  replicas(): Promise<number | undefined>;
  autoscaler(): Promise<HorizontalPodAutoscaler>;
  /** The conditions of the autoscaler in short: type, status and reason. */
  conditions(): Promise<readonly string[]>;
  /** Reasons and messages of the events about it. */
  events(): Promise<readonly string[]>;
}

/** What is on the stage. */
export interface StageOptions {
  readonly cluster?: ClusterOptions;
  /** How many replicas the Deployment has at the beginning. Default 2. */
  readonly replicas?: number;
  /** What each of its pods uses of CPU, besides 50Mi of memory. Default nobody says it. */
  readonly cpu?: string;
  /** What each of its pods asks for. Default 100m of CPU and 100Mi of memory. */
  readonly requests?: Readonly<Record<string, string>>;
  /** Of the autoscaler. Default half of the CPU that is asked for, and up to 10 replicas. */
  readonly spec?: Partial<HorizontalPodAutoscalerSpec>;
}

/** Half of what is asked for. */
export const halfOfCpu: MetricSpec = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};

export async function startStage(options: StageOptions = {}): Promise<AutoscalerStage> {
  const { replicas = 2, cpu, requests = { cpu: "100m", memory: "100Mi" } } = options;
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using starting = new AsyncDisposableStack();
  const cluster = starting.use(await startCluster({ clock, random: seededRandom(1), ...options.cluster }));
  const { client } = cluster;
  if (cpu !== undefined) cluster.pods.match("app=web").use({ cpu, memory: "50Mi" });
  const containers = [{ name: "main", image: "example/web:1", resources: { requests } }];
  const template = { metadata: { labels }, spec: { containers } };
  await client.create(Deployment, { metadata: web, spec: { replicas, selector: { matchLabels: labels }, template } });
  await client.create(HorizontalPodAutoscaler, { metadata: web, spec: autoscalerSpec(options.spec) });
  const pass = async (seconds: number): Promise<void> => {
    await cluster.settled();
    for (let passed = 0; passed < seconds; passed += 15) {
      await clock.advance(Math.min(15, seconds - passed) * 1000);
      await cluster.settled();
    }
  };
  await pass(15);
  const autoscaler = (): Promise<HorizontalPodAutoscaler> => client.get(HorizontalPodAutoscaler, web);
  const all = starting.move();
  return {
    cluster,
    pass,
    autoscaler,
    replicas: async () => (await client.get(Deployment, web)).spec?.replicas,
    conditions: async () =>
      ((await autoscaler()).status?.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`),
    events: async () => {
      const { items } = await client.list(Event, { namespace: "default", fieldSelector: "involvedObject.kind=HorizontalPodAutoscaler" });
      return items.map(({ reason, message }) => `${reason}: ${message}`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** What an autoscaler of the Deployment is to do. */
export function autoscalerSpec(spec: Partial<HorizontalPodAutoscalerSpec> = {}): Draft<HorizontalPodAutoscaler>["spec"] {
  return { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 10, metrics: [halfOfCpu], ...spec };
}
