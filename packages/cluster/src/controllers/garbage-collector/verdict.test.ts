import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ObjectMeta } from "@kaji/core";
import { verdictOn } from "./verdict.ts";
import type { OwnerState } from "./verdict.ts";

const owner = (uid: string) => ({ apiVersion: "v1", kind: "ConfigMap", name: uid, uid });

function object(metadata: Partial<ObjectMeta> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "child", ...metadata } };
}

const waiting = object({ deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["foregroundDeletion"] });

test("an object stays as long as it has no owner, or all of them are there", () => {
  assert.deepEqual(verdictOn(object(), [], []), { type: "Keep" });
  assert.deepEqual(verdictOn(object({ ownerReferences: [owner("a")] }), ["Present"], []), { type: "Keep" });
});

test("while one owner is left, those that are not are struck off", () => {
  const child = object({ ownerReferences: [owner("a"), owner("b"), owner("c")] });
  const states: readonly OwnerState[] = ["Absent", "Present", "Waiting"];
  assert.deepEqual(verdictOn(child, states, []), { type: "Disown", owners: [owner("b")] });
});

test("without an owner an object goes, and its dependents go as it says itself", () => {
  const policy = (...finalizers: readonly string[]): unknown =>
    verdictOn(object({ ownerReferences: [owner("a")], finalizers }), ["Absent"], []);
  assert.deepEqual(policy(), { type: "Delete", policy: "Background", breaksCircle: false });
  assert.deepEqual(policy("orphan"), { type: "Delete", policy: "Orphan", breaksCircle: false });
  assert.deepEqual(policy("foregroundDeletion"), { type: "Delete", policy: "Foreground", breaksCircle: false });
});

test("an object whose owner waits for it waits for its own dependents, unless one of those waits already", () => {
  const child = object({ ownerReferences: [owner("a")] });
  assert.deepEqual(verdictOn(child, ["Waiting"], [object()]), { type: "Delete", policy: "Foreground", breaksCircle: false });
  assert.deepEqual(verdictOn(child, ["Waiting"], [waiting]), { type: "Delete", policy: "Foreground", breaksCircle: true });
  assert.deepEqual(verdictOn(child, ["Waiting"], []), { type: "Delete", policy: "Background", breaksCircle: false });
});
