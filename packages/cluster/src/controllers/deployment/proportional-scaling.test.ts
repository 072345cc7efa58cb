import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { isScaling, scaledSizes } from "./proportional-scaling.ts";
import type { Revisions } from "./revisions.ts";
import { rolloutSpec } from "./rollout-spec.ts";
import type { RolloutSpec } from "./rollout-spec.ts";

function spec(replicas: number, maxSurge = 0): RolloutSpec {
  const strategy = { type: "RollingUpdate" as const, rollingUpdate: { maxSurge, maxUnavailable: 1 } };
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas, strategy, selector: {}, template: {} },
  };
  return rolloutSpec(deployment);
}

/** A ReplicaSet that was last sized for so many replicas of its Deployment. */
function replicaSet(name: string, replicas: number, sized: { readonly desired: number; readonly max?: number }, available = 0): ReplicaSet {
  const { desired, max = desired } = sized;
  const annotations = {
    "deployment.kubernetes.io/desired-replicas": String(desired),
    "deployment.kubernetes.io/max-replicas": String(max),
  };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, annotations },
    spec: { replicas, selector: {} },
    status: { replicas, availableReplicas: available },
  };
}

function sizes(wanted: RolloutSpec, revisions: Revisions): Readonly<Record<string, number>> {
  return Object.fromEntries(scaledSizes(wanted, revisions, undefined).map((size) => [size.replicaSet.metadata.name, size.replicas]));
}

test("a Deployment has been scaled when a ReplicaSet with pods was sized for another number", () => {
  const sized = { desired: 3 };
  assert.equal(isScaling(spec(3), { current: replicaSet("new", 3, sized), old: [] }), false);
  assert.equal(isScaling(spec(5), { current: replicaSet("new", 3, sized), old: [] }), true);
  assert.equal(isScaling(spec(5), { current: replicaSet("new", 0, sized), old: [] }), false);
});

test("a single ReplicaSet takes all", () => {
  assert.deepEqual(sizes(spec(5), { current: undefined, old: [replicaSet("old", 3, { desired: 3 })] }), { old: 5 });
});

test("when the new ReplicaSet is complete, old ones go", () => {
  const current = replicaSet("new", 5, { desired: 5 }, 5);
  assert.deepEqual(sizes(spec(5), { current, old: [replicaSet("old", 2, { desired: 3 })] }), { old: 0 });
});

test("in the middle of a roll-out each ReplicaSet takes its share, and the largest what is left", () => {
  const sized = { desired: 10, max: 13 };
  const revisions = { current: replicaSet("new", 5, sized), old: [replicaSet("old", 8, sized)] };
  assert.deepEqual(sizes(spec(30, 3), revisions), { old: 20, new: 13 });
  assert.deepEqual(sizes(spec(0, 3), revisions), { old: 0, new: 0 });
});

test("where there are as many pods as there may be, shares sum up to what may be now, and none is negative", () => {
  const count = fc.integer({ min: 1, max: 50 });
  const wanted = fc.record({ replicas: fc.integer({ min: 0, max: 100 }), surge: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(count, count, wanted, (fresh, old, { replicas, surge }) => {
      const sized = { desired: fresh + old - surge, max: fresh + old };
      const revisions = { current: replicaSet("new", fresh, sized), old: [replicaSet("old", old, sized)] };
      const result = scaledSizes(spec(replicas, surge), revisions, undefined).map((size) => size.replicas);
      assert.equal(
        result.reduce((sum, size) => sum + size, 0),
        replicas === 0 ? 0 : replicas + surge,
      );
      assert.ok(result.every((size) => size >= 0));
    }),
  );
});
