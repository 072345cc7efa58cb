import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { conditionLines, healthOf } from "./object-health.ts";

function health(fields: Readonly<Record<string, unknown>>, metadata: Partial<DynamicObject["metadata"]> = {}): string {
  const { state, why } = healthOf({ apiVersion: "v1", kind: "Thing", metadata: { name: "a", ...metadata }, ...fields });
  return `${state}: ${why}`;
}

const ready = (status: string, reason?: string): unknown => ({ type: "Ready", status, reason });

test("an object is as ready as its conditions say", () => {
  assert.equal(health({ status: { conditions: [ready("True", "Fine")] } }), "Good: Ready");
  assert.equal(health({ status: { conditions: [ready("False", "Starting")] } }), "Waiting: Starting");
  assert.equal(health({ status: { conditions: [ready("Unknown")] } }), "Waiting: not Ready");
  assert.equal(
    health({ status: { conditions: [{ type: "Available", status: "True" }, ready("False", "Starting")] } }),
    "Waiting: Starting",
  );
  assert.equal(
    health({ status: { conditions: [{ type: "Failed", status: "True", reason: "Deadline" }, ready("True")] } }),
    "Bad: Deadline",
  );
});

test("what is missing wins over what is well", () => {
  const available = { type: "Available", status: "True" };
  const deployment = { spec: { replicas: 3 }, status: { replicas: 3, readyReplicas: 1, conditions: [available] } };
  assert.equal(health(deployment), "Waiting: 1 of 3 ready");
  assert.equal(health({ ...deployment, status: { ...deployment.status, readyReplicas: 3 } }), "Good: Available");
  assert.equal(health({ spec: { replicas: 2 }, status: { replicas: 2 } }), "Waiting: 0 of 2 ready");
  assert.equal(health({ status: { desiredNumberScheduled: 2, numberReady: 2 } }), "Good: 2 of 2 ready");
  assert.match(health({ status: { observedGeneration: 1, conditions: [ready("True")] } }, { generation: 2 }), /^Waiting: has changed/);
  assert.equal(
    health({ status: { conditions: [ready("True")] } }, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    "Waiting: is being deleted",
  );
});

test("a Pod says why its containers do not start", () => {
  const containerStatuses = [{ state: { running: {} } }, { state: { waiting: { reason: "CrashLoopBackOff" } } }];
  assert.equal(health({ status: { phase: "Running", containerStatuses, conditions: [ready("False")] } }), "Bad: CrashLoopBackOff");
  const initContainerStatuses = [{ state: { waiting: { reason: "ErrImagePull" } } }];
  const waiting = [{ state: { waiting: { reason: "PodInitializing" } } }];
  assert.equal(health({ status: { phase: "Pending", initContainerStatuses, containerStatuses: waiting } }), "Bad: ErrImagePull");
  assert.equal(health({ status: { phase: "Succeeded", conditions: [ready("False", "PodCompleted")] } }), "Good: Succeeded");
  assert.equal(health({ status: { phase: "Failed" } }), "Bad: Failed");
});

test("others have a phase, or say nothing; what is no status is none", () => {
  assert.equal(health({ status: { phase: "Bound" } }), "Good: Bound");
  assert.equal(health({ status: { phase: "Whatever" } }), "Quiet: ");
  for (const status of [undefined, null, "odd", [], { conditions: "odd" }, { conditions: [null, 7, {}] }])
    assert.equal(health({ status }), "Quiet: ");
});

test("each condition is told with whether it is as one would wish", () => {
  const conditions = [
    ready("True", "Fine"),
    { type: "MemoryPressure", status: "False" },
    { type: "Stalled", status: "True" },
    { type: 7, message: {} },
  ];
  const lines = conditionLines({ apiVersion: "v1", kind: "Thing", metadata: { name: "a" }, status: { conditions } });
  assert.deepEqual(
    lines.map(({ type, state }) => `${type} ${state}`),
    ["Ready Good", "MemoryPressure Quiet", "Stalled Bad", " Quiet"],
  );
});
