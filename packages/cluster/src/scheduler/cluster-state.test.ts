import assert from "node:assert/strict";
import { test } from "node:test";
import { compileSelector } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import fc from "fast-check";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import { preempt } from "./preemption.ts";
import { schedule } from "./schedule.ts";
import { ClusterBuilder, pod } from "./testing/cluster-builder.ts";

const selectors = [{ matchLabels: { app: "web" } }, { matchExpressions: [{ key: "app", operator: "NotIn" as const, values: ["db"] }] }].map(
  compileSelector,
);
const term = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "web" } } };

const arbitraryPod = fc
  .record({
    id: fc.integer({ min: 0, max: 8 }),
    app: fc.constantFrom("web", "db"),
    cpu: fc.integer({ min: 0, max: 900 }),
    priority: fc.integer({ min: 0, max: 3 }),
    isTerminating: fc.boolean(),
    isShy: fc.boolean(),
    port: fc.constantFrom(undefined, 80, 81),
  })
  .map(({ id, app, cpu, priority, isTerminating, isShy, port }) =>
    pod(`pod-${id}`, {
      labels: { app },
      priority,
      isTerminating,
      containers: [
        {
          name: "main",
          resources: { requests: { cpu: `${cpu}m` } },
          ...(port === undefined ? {} : { ports: [{ containerPort: port, hostPort: port }] }),
        },
      ],
      ...(isShy ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } } : {}),
    }),
  );

const arbitraryStep = fc.oneof(
  fc.record({ type: fc.constant("Place" as const), pod: arbitraryPod, node: fc.constantFrom("a", "b", "c") }),
  fc.record({ type: fc.constant("Displace" as const), pod: arbitraryPod }),
  fc.record({ type: fc.constant("AddNode" as const), node: fc.constantFrom("a", "b", "c") }),
  fc.record({ type: fc.constant("RemoveNode" as const), node: fc.constantFrom("a", "b", "c") }),
);

/** All that is known of the nodes, computed from the pods alone. */
function summary(cluster: ClusterBuilder): unknown {
  return [...cluster.state.nodes.values()].map((node) => sumsOf(node));
}

function sumsOf({ name, pods, requested, ports }: NodeInfo): unknown {
  return {
    name,
    pods: [...pods.keys()].toSorted(),
    cpu: requested.get("cpu") ?? 0,
    ports: ["TCP/80", "TCP/81"].map((port) => ports.has({ ip: "0.0.0.0", port })),
  };
}

test("whatever comes and goes in whatever order, sums and counts are those of the pods that are there", () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 40 }), (steps) => {
      const cluster = new ClusterBuilder();
      const placed = new Map<string, { readonly pod: PodInfo; readonly node: string }>();
      const nodes = new Set<string>();
      for (const selector of selectors) cluster.state.countsOf("default", selector);
      for (const step of steps) {
        if (step.type === "Place") {
          cluster.place(step.node, step.pod);
          placed.set(step.pod.uid, step);
        } else if (step.type === "Displace") {
          cluster.state.displace(step.pod.uid);
          placed.delete(step.pod.uid);
        } else if (step.type === "AddNode") {
          cluster.node(step.node);
          nodes.add(step.node);
        } else {
          cluster.state.removeNode(step.node);
          nodes.delete(step.node);
        }
      }
      const model = new ClusterBuilder();
      for (const name of cluster.state.nodes.keys()) model.node(name);
      for (const { pod: each, node } of placed.values()) model.place(node, each);
      assert.deepEqual(summary(cluster), summary(model));
      for (const selector of selectors) {
        assert.deepEqual(new Map(cluster.state.countsOf("default", selector)), new Map(model.state.countsOf("default", selector)));
      }
      const termsOf = ({ state }: ClusterBuilder): unknown =>
        [...state.placedTerms()].flatMap(({ nodes: counts }) => [...counts].map(([name, count]) => `${name} ${count}`).toSorted());
      assert.deepEqual(termsOf(cluster), termsOf(model));
    }),
    { numRuns: 300 },
  );
});

test("looking for victims changes nothing, and the pod fits where they are gone", () => {
  fc.assert(
    fc.property(fc.array(arbitraryPod, { maxLength: 12 }), arbitraryPod, (pods, wanted) => {
      const cluster = new ClusterBuilder().node("a", { allocatable: { cpu: "1" } }).node("b", { allocatable: { cpu: "1" } });
      for (const [index, each] of pods.entries()) cluster.place(index % 2 === 0 ? "a" : "b", each);
      const urgent = { ...wanted, uid: "urgent", priority: 2 };
      const decision = schedule(urgent, cluster.state, seededRandom(1));
      if (decision.type === "Node") return;
      const before = summary(cluster);
      const preemption = preempt(urgent, cluster.state, decision.diagnosis, decision.checks ?? []);
      assert.deepEqual(summary(cluster), before);
      if (preemption.type === "Useless") return;
      assert.ok(preemption.victims.every(({ priority }) => priority < urgent.priority));
      for (const { uid } of preemption.victims) cluster.state.displace(uid);
      assert.equal(schedule(urgent, cluster.state, seededRandom(1)).type, "Node");
    }),
    { numRuns: 300 },
  );
});
