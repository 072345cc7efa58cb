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

test("[RESIZE4] a pod that is resized takes the largest of what it asks for, was promised and has, until it has what it asks for", () => {
  const sized = (asked: string, promised: string, has: string, reason?: string): Pod => {
    const [requests, allocatedResources, resources] = [{ cpu: asked }, { cpu: promised }, { requests: { cpu: has } }];
    const pending = reason === undefined ? [] : [{ type: "PodResizePending", status: "True", reason } as const];
    const known = { name: "main", image: "", imageID: "", ready: true, restartCount: 0, allocatedResources, resources };
    const containers = [{ name: "main", resources: { requests } }];
    return { ...pod, spec: { containers }, status: { conditions: pending, containerStatuses: [known] } };
  };
  const taken = (...of: Parameters<typeof sized>): number | undefined => placedPod(sized(...of)).requests.get("cpu");
  assert.equal(taken("100m", "100m", "100m"), 100);
  assert.equal(taken("100m", "300m", "300m"), 300, "it shrinks, and its node has not seen it");
  assert.equal(taken("100m", "100m", "300m"), 300, "it was promised less, and has not given it back");
  assert.equal(taken("500m", "300m", "300m", "Deferred"), 500, "it grows as soon as there is room");
  assert.equal(taken("500m", "300m", "300m", "Infeasible"), 300, "it never will");
  const shrinking = placedPod(sized("100m", "100m", "300m"));
  assert.equal(shrinking.presumedRequests.get("cpu"), 300);
  const shrunk = placedPod(sized("100m", "100m", "100m"), shrinking);
  assert.deepEqual([shrunk.requests.get("cpu"), countsAlike(shrinking, shrunk)], [100, false]);
});
