import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig, RigAnswer } from "../testing/admission-rig.ts";

const pods = "/api/v1/namespaces/default/pods";
const container = (requests: JsonObject): JsonObject => ({ name: "main", image: "main", resources: { requests } });

async function addNode(rig: AdmissionRig, os: string): Promise<void> {
  await rig.call("POST", "/api/v1/nodes", { metadata: { name: os, labels: { "kubernetes.io/os": os } } });
  await rig.call("PATCH", `/api/v1/nodes/${os}/status`, { status: { allocatable: { cpu: "4", memory: "1Gi" } } });
}

/** Resizes a pod of a node. */
async function resize(rig: AdmissionRig, nodeName: string, requests: JsonObject): Promise<RigAnswer> {
  const spec = { nodeName, containers: [container({ cpu: "1", memory: "64Mi" })] };
  await rig.call("POST", pods, { metadata: { name: "a" }, spec });
  return rig.call("PATCH", `${pods}/a/resize`, { spec: { containers: [container(requests)] } });
}

test("[ADM44] a pod may be resized to what its node has, whatever others have of that at the moment, and to no more", async () => {
  await using rig = await startAdmissionRig();
  await addNode(rig, "linux");
  assert.equal((await resize(rig, "linux", { cpu: "4", memory: "1Gi" })).status, 200);
  const { status, body } = await resize(rig, "linux", { cpu: "4001m", memory: "2Gi" });
  const lacking = "cpu, requested: 4001, allocatable: 4000; memory, requested: 2147483648, allocatable: 1073741824";
  const why = `node didn't have enough allocatable resources: ${lacking}`;
  assert.deepEqual([status, body["message"]], [403, `pods "a" is forbidden: ${why}`]);
  assert.deepEqual(body["details"], { name: "a", kind: "pods", causes: [{ reason: "NodeCapacity" }] });
});

test("[ADM44] a pod on no node may be resized, and one on a node that is missing or has another system may not", async () => {
  await using rig = await startAdmissionRig();
  await addNode(rig, "windows");
  const refusals: readonly [nodeName: string, why: string][] = [
    ["missing", `node "missing" not found`],
    ["windows", `pod resize is only supported on linux nodes, node "windows" is "windows"`],
  ];
  for (const [nodeName, why] of refusals) {
    const { status, body } = await resize(rig, nodeName, { cpu: "2", memory: "64Mi" });
    assert.deepEqual([status, body["message"]], [403, `pods "a" is forbidden: ${why}`]);
    await rig.call("DELETE", `${pods}/a?gracePeriodSeconds=0`);
  }
  assert.equal((await resize(rig, "", { cpu: "2000", memory: "64Mi" })).status, 200);
});
