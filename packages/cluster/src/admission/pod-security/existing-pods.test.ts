import assert from "node:assert/strict";
import { test } from "node:test";
import { objectOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { existingPodWarnings } from "./existing-pods.ts";

const baseline = { level: "baseline", version: "latest" } as const;

function pod(name: string, hostPID: boolean, controller?: string): DynamicObject {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "a", uid: controller ?? "", controller: true };
  const ownerReferences = controller === undefined ? [] : [owner];
  return objectOf({ apiVersion: "v1", kind: "Pod", metadata: { name, ownerReferences }, spec: { hostPID, containers: [{ name: "c" }] } });
}

test("[ADM34] pods for which the same is said are named by the first of them", () => {
  const pods = [pod("c", true), pod("a", true), pod("b", false)];
  const title = 'existing pods in namespace "x" violate the new PodSecurity enforce level "baseline:latest"';
  assert.deepEqual(existingPodWarnings("x", pods, baseline), [title, "a (and 1 other pod): host namespaces"]);
  assert.deepEqual(existingPodWarnings("x", pods.slice(2), baseline), []);
});

test("[ADM34] at most 3000 pods are looked at, of each controller one before all others", () => {
  const replicas = Array.from({ length: 3500 }, (_, index) => pod(`web-${index}`, false, "u"));
  const told = existingPodWarnings("x", [...replicas, pod("z", true)], baseline);
  assert.deepEqual(told, [
    "new PodSecurity enforce level only checked against the first 3000 of 3501 existing pods",
    'existing pods in namespace "x" violate the new PodSecurity enforce level "baseline:latest"',
    "z: host namespaces",
  ]);
});
