import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { rollingSizes } from "./rolling-update.ts";
import { rolloutSpec } from "./rollout-spec.ts";
import { sumOf, wantedBy } from "./revisions.ts";
import type { Revisions } from "./revisions.ts";

function deployment(replicas: number, maxSurge: number | string, maxUnavailable: number | string): Deployment {
  const strategy = { type: "RollingUpdate" as const, rollingUpdate: { maxSurge, maxUnavailable } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas, strategy, selector: {}, template: {} } };
}

function replicaSet(name: string, replicas: number, availableReplicas = replicas): ReplicaSet {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name },
    spec: { replicas, selector: {} },
    status: { replicas, availableReplicas },
  };
}

/** The sizes after one step, old first. */
function step(spec: Deployment, current: ReplicaSet, ...old: readonly ReplicaSet[]): readonly string[] {
  return rollingSizes(rolloutSpec(spec), { current, old }).map((size) => `${size.replicaSet.metadata.name}: ${size.replicas}`);
}

test("the new ReplicaSet grows as far as the surge allows", () => {
  assert.deepEqual(step(deployment(10, 3, 2), replicaSet("new", 0), replicaSet("old", 10)), ["new: 3"]);
  assert.deepEqual(step(deployment(4, "25%", "25%"), replicaSet("new", 0), replicaSet("old", 4)), ["new: 1"]);
});

test("old ReplicaSets shrink as far as availability allows, those that are not available first", () => {
  assert.deepEqual(step(deployment(10, 3, 2), replicaSet("new", 3, 0), replicaSet("old", 10)), ["old: 8"]);
  assert.deepEqual(step(deployment(10, 0, 2), replicaSet("new", 0), replicaSet("old", 10, 8)), ["old: 8"]);
  assert.deepEqual(step(deployment(10, 3, 2), replicaSet("new", 5), replicaSet("older", 3, 0), replicaSet("old", 5)), [
    "older: 0",
    "old: 3",
  ]);
});

test("where percentages come to nothing, one pod may be missing", () => {
  assert.deepEqual(step(deployment(1, "0%", "10%"), replicaSet("new", 0), replicaSet("old", 1)), ["old: 0"]);
});

test("a ReplicaSet that is too large shrinks at once", () => {
  assert.deepEqual(step(deployment(2, 1, 0), replicaSet("new", 5)), ["new: 2"]);
});

const counts = fc.record({
  replicas: fc.integer({ min: 0, max: 20 }),
  surge: fc.integer({ min: 0, max: 5 }),
  unavailable: fc.integer({ min: 0, max: 5 }),
  fresh: fc.integer({ min: 0, max: 20 }),
  freshAvailable: fc.integer({ min: 0, max: 20 }),
  old: fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })), { maxLength: 3 }),
});

test("no step takes the available pods below the minimum, or all pods above the maximum, if they were not there before", () => {
  fc.assert(
    fc.property(counts, ({ replicas, surge, unavailable, fresh, freshAvailable, old }) => {
      const spec = rolloutSpec(deployment(replicas, surge, unavailable));
      const revisions: Revisions = {
        current: replicaSet("new", fresh, Math.min(fresh, freshAvailable)),
        old: old.map(([size, available], index) => replicaSet(`old-${index}`, size, Math.min(size, available))),
      };
      const all = [...revisions.old, ...(revisions.current === undefined ? [] : [revisions.current])];
      const sizes = new Map(rollingSizes(spec, revisions).map((size) => [size.replicaSet, size.replicas]));
      const sizeOf = (each: ReplicaSet): number => sizes.get(each) ?? wantedBy(each);
      // The worst that can happen: of a ReplicaSet that shrinks, available pods go first.
      const left = (each: ReplicaSet): number => Math.min(each.status?.availableReplicas ?? 0, sizeOf(each));
      const before = sumOf(all, (each) => each.status?.availableReplicas ?? 0);
      const isShrunkNew = sizeOf(all.at(-1) ?? replicaSet("", 0)) < fresh;
      if (!isShrunkNew) assert.ok(sumOf(all, left) >= Math.min(before, replicas - spec.maxUnavailable));
      assert.ok(sumOf(all, sizeOf) <= Math.max(sumOf(all), replicas + spec.maxSurge));
    }),
  );
});
