import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kaji/types/core/v1";
import { replicaSetStatus } from "./replica-set-status.ts";
import type { Replicated } from "./replica-set-status.ts";

const nowMs = Date.UTC(2026, 0, 1, 0, 1);

function owner(minReadySeconds = 0, status?: Replicated["status"]): Replicated {
  const template = { metadata: { labels: { app: "web", tier: "front" } } };
  const metadata = { name: "web", generation: 2 };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata,
    spec: { minReadySeconds, template },
    ...(status === undefined ? {} : { status }),
  };
}

function pod(labels: Readonly<Record<string, string>>, readySince?: string): Pod {
  const conditions = readySince === undefined ? [] : [{ type: "Ready", status: "True", lastTransitionTime: readySince }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "pod", labels }, status: { phase: "Running", conditions } };
}

const pods = [
  pod({ app: "web", tier: "front" }, "2026-01-01T00:00:00Z"),
  pod({ app: "web" }, "2026-01-01T00:00:50Z"),
  pod({ app: "web", tier: "front" }),
];

test("pods are counted by labels, readiness and how long they have been ready; nothing is said of what is none", () => {
  assert.deepEqual(replicaSetStatus(owner(30), pods, { nowMs, terminating: 0 }), {
    replicas: 3,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 1,
    observedGeneration: 2,
    terminatingReplicas: 0,
  });
  assert.deepEqual(replicaSetStatus(owner(), [], { nowMs }), { replicas: 0, observedGeneration: 2 });
});

test("the first failure stands until there is none; conditions of others stay", () => {
  const other = { type: "Other", status: "True" };
  const first = replicaSetStatus(owner(0, { replicas: 0, conditions: [other] }), [], {
    nowMs,
    failure: { reason: "FailedCreate", message: "no" },
  });
  const failure = {
    type: "ReplicaFailure",
    status: "True",
    reason: "FailedCreate",
    message: "no",
    lastTransitionTime: "2026-01-01T00:01:00Z",
  };
  assert.deepEqual(first.conditions, [other, failure]);
  const later = { nowMs: nowMs + 5000, failure: { reason: "FailedCreate" as const, message: "still not" } };
  assert.deepEqual(replicaSetStatus(owner(0, first), [], later).conditions, [other, failure]);
  assert.deepEqual(replicaSetStatus(owner(0, first), [], { nowMs }).conditions, [other]);
});
