import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { builtinControllers, startCluster, startControlPlane } from "@kaji/cluster";
import { systemClock } from "@kaji/core";
import { ManualClock, eventually, seededRandom } from "@kaji/core/testing";
import { Deployment } from "@kaji/types/apps/v1";
import { HorizontalPodAutoscaler } from "@kaji/types/autoscaling/v2";
import type { HorizontalPodAutoscalerSpec, MetricSpec } from "@kaji/types/autoscaling/v2";
import { Event, Namespace, Pod } from "@kaji/types/core/v1";
import { providePrograms } from "@kaji-tools/kube";

const folder = mkdtempSync(join(tmpdir(), "kaji-autoscalers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What there is in a namespace of its own. */
interface Scene {
  readonly usage?: string;
  readonly replicas?: number;
  readonly requests?: Readonly<Record<string, string>>;
  readonly spec?: Partial<HorizontalPodAutoscalerSpec>;
}

const metricsOf = (...metrics: readonly MetricSpec[]): Pick<HorizontalPodAutoscalerSpec, "metrics"> => ({ metrics });
const halfOfCpu: MetricSpec = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};
const average = (name: string, averageValue: string): MetricSpec => ({
  type: "Resource",
  resource: { name, target: { type: "AverageValue", averageValue } },
});
const ofContainer = (container: string): MetricSpec => ({
  type: "ContainerResource",
  containerResource: { name: "cpu", container, target: { type: "Utilization", averageUtilization: 50 } },
});
const outside = (target: NonNullable<MetricSpec["external"]>["target"]): MetricSpec => ({
  type: "External",
  external: { metric: { name: "queue", selector: { matchLabels: { name: "mail" } } }, target },
});
const ofIngress = (target: NonNullable<MetricSpec["object"]>["target"]): MetricSpec => ({
  type: "Object",
  object: { metric: { name: "hits" }, describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" }, target },
});
const targetOf = (kind: string, apiVersion = "apps/v1"): Pick<HorizontalPodAutoscalerSpec, "scaleTargetRef"> => ({
  scaleTargetRef: { apiVersion, kind, name: "web" },
});

const scenes: Readonly<Record<string, Scene>> = {
  "just-right": { usage: "cpu=50m" },
  tolerated: { usage: "cpu=54m" },
  "one-more": { usage: "cpu=75m" },
  "up-to-max": { usage: "cpu=100m", spec: { maxReplicas: 3 } },
  "above-max": { usage: "cpu=50m", replicas: 5, spec: { maxReplicas: 3 } },
  "below-min": { usage: "cpu=50m", spec: { minReplicas: 3 } },
  "less-stabilized": { usage: "cpu=1m", replicas: 3 },
  "less-at-once": { usage: "cpu=1m", replicas: 3, spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } } },
  "never-less": {
    usage: "cpu=1m",
    replicas: 3,
    spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: "Disabled" } } },
  },
  zero: { usage: "cpu=50m", replicas: 0 },
  memory: { usage: "cpu=1m,memory=30Mi", spec: metricsOf(average("memory", "30Mi")) },
  "odd-memory": { usage: "memory=31457281", spec: metricsOf(average("memory", "30Mi")) },
  "average-cpu": { usage: "cpu=30m", spec: metricsOf(average("cpu", "20m")) },
  "one-container": { usage: "cpu=75m", spec: metricsOf(ofContainer("main")) },
  "no-container": { usage: "cpu=75m", spec: metricsOf(ofContainer("none")) },
  unknown: {},
  unasked: { usage: "cpu=50m", requests: {} },
  "no-such-resource": { usage: "cpu=50m", spec: metricsOf(average("example.com/gpu", "1")) },
  pods: { spec: metricsOf({ type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "1" } } }) },
  object: { spec: metricsOf(ofIngress({ type: "Value", value: "1" })) },
  "object-average": { spec: metricsOf(ofIngress({ type: "AverageValue", averageValue: "1" })) },
  external: { spec: metricsOf(outside({ type: "Value", value: "1" })) },
  "external-average": { spec: metricsOf(outside({ type: "AverageValue", averageValue: "1" })) },
  "one-of-two": { usage: "cpu=75m", spec: metricsOf(outside({ type: "Value", value: "1" }), halfOfCpu) },
  "one-of-two-less": { usage: "cpu=1m", replicas: 3, spec: metricsOf(outside({ type: "Value", value: "1" }), halfOfCpu) },
  "no-target": { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" } } },
  "no-kind": { spec: targetOf("Nothing", "example.com/v1") },
  "no-scale": { spec: targetOf("DaemonSet") },
  "old-version": { usage: "cpu=75m", spec: targetOf("Deployment", "apps/v1beta1") },
};

test("[HPA8] autoscalers have the status and the events that kube-controller-manager gives them", async () => {
  const expected = await playWithReal();
  const actual = await playWithOurs();
  for (const name of Object.keys(scenes)) assert.deepEqual(actual.get(name), expected.get(name), name);
});

/** What can be compared of a scene when it has been looked at once. */
type Outcome = Readonly<Record<string, unknown>>;

async function playWithOurs(): Promise<ReadonlyMap<string, Outcome>> {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using cluster = await startCluster({ clock, random: seededRandom(1), nodes: [{ name: "node-1" }] });
  await setScenes(cluster.client);
  await cluster.settled();
  await clock.advance(15_000);
  await cluster.settled();
  return await outcomes(cluster.client);
}

async function playWithReal(): Promise<ReadonlyMap<string, Outcome>> {
  const program = join(await providePrograms(["kube-controller-manager"]), "kube-controller-manager");
  const controllers = builtinControllers.map(({ name }) => name).filter((name) => name !== "horizontal-pod-autoscaler-controller");
  await using plane = await startControlPlane({ folder, storage: "memory", controllers });
  await using client = await createClient({ kubeconfig: plane.kubeconfig });
  await setScenes(client);
  await eventually("all pods run", async () => {
    const { items } = await client.list(Pod);
    return items.length >= podCount && items.every(({ status }) => status?.phase === "Running");
  });
  // A whole measurement of what is ready.
  await systemClock.sleep(16_000);
  const flags = ["--controllers=horizontal-pod-autoscaler-controller", "--leader-elect=false", "--secure-port=0"];
  const child = spawn(program, [`--kubeconfig=${plane.kubeconfig}`, ...flags, "--horizontal-pod-autoscaler-sync-period=12s"], {
    stdio: "ignore",
  });
  try {
    await eventually("all autoscalers have been looked at", async () => {
      const { items } = await client.list(HorizontalPodAutoscaler);
      return items.every(({ status }) => (status?.conditions?.length ?? 0) > 0);
    });
    // The last events are on their way; before the next look they are there.
    await systemClock.sleep(5_000);
    return await outcomes(client);
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

const podCount = Object.values(scenes).reduce((sum, { replicas = 2 }) => sum + replicas, 0);

async function setScenes(client: KubeClient): Promise<void> {
  for (const [name, { usage, replicas = 2, requests = { cpu: "100m", memory: "30Mi" }, spec }] of Object.entries(scenes)) {
    await client.create(Namespace, { metadata: { name } });
    const metadata = { namespace: name, name: "web" };
    const labels = { app: "web" };
    const annotations = usage === undefined ? {} : { "kaji.dev/usage": usage };
    const containers = [{ name: "main", image: "example/web:1", resources: { requests, limits: requests } }];
    const template = { metadata: { labels, annotations }, spec: { containers, automountServiceAccountToken: false } };
    await client.create(Deployment, { metadata, spec: { replicas, selector: { matchLabels: labels }, template } });
    await client.create(HorizontalPodAutoscaler, {
      metadata,
      spec: { ...targetOf("Deployment"), maxReplicas: 10, metrics: [halfOfCpu], ...spec },
    });
  }
}

async function outcomes(client: KubeClient): Promise<ReadonlyMap<string, Outcome>> {
  const found = new Map<string, Outcome>();
  for (const namespace of Object.keys(scenes)) {
    const { status } = await client.get(HorizontalPodAutoscaler, { namespace, name: "web" });
    const { spec } = await client.get(Deployment, { namespace, name: "web" });
    const events = await client.list(Event, { namespace, fieldSelector: "involvedObject.kind=HorizontalPodAutoscaler" });
    const said = events.items.map(({ type, reason, message, source, reportingComponent }) =>
      [type, reason, message, source?.component ?? reportingComponent].join(" "),
    );
    const text = JSON.stringify({ status, replicas: spec?.replicas, events: said.toSorted() });
    const masked = text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"').replaceAll(/Pod web-\w+-\w+/g, "Pod web-*");
    found.set(namespace, JSON.parse(masked));
  }
  return found;
}
