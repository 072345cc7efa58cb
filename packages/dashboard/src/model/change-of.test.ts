import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { changeOf } from "./change-of.ts";

function bar(version: number, status: Readonly<Record<string, unknown>>): DynamicObject {
  const metadata = { name: "a", namespace: "default", uid: "1", resourceVersion: String(version), generation: version };
  return { apiVersion: "example.com/v1", kind: "Bar", metadata, status };
}

function told(before: DynamicObject, after: DynamicObject): readonly string[] {
  const { fields = [] } = changeOf({ before, after }, { fieldsPerChange: 10, valueLength: 50 });
  return fields.map((field) => `${field.path}: ${field.before} → ${field.after}`);
}

test("[DB10] a change is told field by field, with what goes along only if there is nothing else, and without what the server counts", () => {
  const ready = (status: string, lastTransitionTime: string): Readonly<Record<string, unknown>> => ({
    conditions: [{ type: "Ready", status, lastTransitionTime }],
  });
  assert.deepEqual(told(bar(1, ready("False", "1")), bar(2, ready("True", "2"))), ["status.conditions[Ready].status: False → True"]);
  assert.deepEqual(told(bar(1, ready("True", "1")), bar(2, ready("True", "2"))), ["status.conditions[Ready].lastTransitionTime: 1 → 2"]);
  assert.deepEqual(told(bar(1, { phase: "Up" }), bar(2, { phase: "Up" })), []);
});

test("[DB19] a change of nothing but when somebody was last there is a heartbeat", () => {
  const isHeartbeat = (before: object, after: object): boolean =>
    changeOf({ before: bar(1, { ...before }), after: bar(2, { ...after }) }, { fieldsPerChange: 10, valueLength: 50 }).isHeartbeat;
  const node = (status: string, lastHeartbeatTime: string): object => ({
    conditions: [
      { type: "Ready", status, lastHeartbeatTime },
      { type: "DiskPressure", status: "False", lastHeartbeatTime },
    ],
  });
  assert.equal(isHeartbeat(node("True", "1"), node("True", "2")), true);
  assert.equal(isHeartbeat(node("True", "1"), node("False", "2")), false);
  assert.equal(isHeartbeat({ phase: "Up" }, { phase: "Up" }), false);
  assert.equal(isHeartbeat({}, { conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "1" }] }), false);
  const led = (leader: string): DynamicObject => {
    const object = bar(1, {});
    return { ...object, metadata: { ...object.metadata, annotations: { "control-plane.alpha.kubernetes.io/leader": leader } } };
  };
  assert.equal(changeOf({ before: led("a 1"), after: led("a 2") }, { fieldsPerChange: 10, valueLength: 50 }).isHeartbeat, true);
});

test("what is gone comes after what is there, and long values are cut", () => {
  assert.deepEqual(told(bar(1, { old: "x", text: "" }), bar(2, { text: "a".repeat(60) })), [
    `status.text:  → ${"a".repeat(49)}…`,
    "status.old: x → undefined",
  ]);
});
