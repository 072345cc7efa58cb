import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kaji/types/core/v1";
import { countsAlike, placedPod } from "./placed-pod.ts";

const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "1", generation: 1, labels: { app: "web" }, resourceVersion: "1" },
  spec: { containers: [{ name: "main", resources: { requests: { cpu: "100m" } } }] },
  status: { phase: "Pending" },
};
const metadata = { ...pod.metadata, resourceVersion: "2" };

test("a new state of a pod in which nothing has changed that counts is the one that was known", () => {
  const known = placedPod(pod);
  assert.equal(placedPod({ ...pod, metadata, status: { phase: "Running", podIP: "10.0.0.1" } }, known), known);
});

test("what preemption asks for is noticed, and changes no sum", () => {
  const known = placedPod(pod);
  const started = placedPod({ ...pod, metadata, status: { startTime: "2026-01-01T00:00:00Z" } }, known);
  assert.deepEqual([started.startTime, countsAlike(known, started)], ["2026-01-01T00:00:00Z", true]);
  const ending = { ...metadata, deletionTimestamp: "2026-01-01T00:00:30Z" };
  const target = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" } as const;
  const preempted = placedPod({ ...pod, metadata: ending, status: { conditions: [target] } }, known);
  assert.deepEqual([preempted.isPreempted, preempted.isTerminating, countsAlike(known, preempted)], [true, true, false]);
});

test("other labels and another spec are read anew", () => {
  const known = placedPod(pod);
  assert.equal(countsAlike(known, placedPod({ ...pod, metadata: { ...metadata, labels: { app: "db" } } }, known)), false);
  const resized = placedPod({ ...pod, metadata: { ...metadata, generation: 2 }, spec: { containers: [{ name: "main" }] } }, known);
  assert.equal(resized.requests.get("cpu"), undefined);
});
