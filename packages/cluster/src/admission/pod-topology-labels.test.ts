import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const pods = "/api/v1/namespaces/default/pods";
const place = { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1" };

async function startWithNodes(): Promise<AdmissionRig> {
  const rig = await startAdmissionRig();
  await rig.call("POST", "/api/v1/nodes", { metadata: { name: "placed", labels: { ...place, "kubernetes.io/hostname": "placed" } } });
  await rig.call("POST", "/api/v1/nodes", { metadata: { name: "bare" } });
  return rig;
}

async function createPod(rig: AdmissionRig, name: string, spec: JsonObject = {}): Promise<void> {
  const metadata = { name, labels: { app: "web", "topology.kubernetes.io/zone": "elsewhere" } };
  await rig.call("POST", pods, { metadata, spec: { ...spec, containers: [{ name: "a", image: "a" }] } });
}

async function labelsOf(rig: AdmissionRig, name: string): Promise<unknown> {
  return asObject((await rig.call("GET", `${pods}/${name}`)).body["metadata"])["labels"];
}

test("[ADM45] a pod that is bound to a node has the labels of its zone and region, whatever it said before", async () => {
  await using rig = await startWithNodes();
  for (const [name, node] of [
    ["a", "placed"],
    ["b", "bare"],
  ] as const) {
    await createPod(rig, name);
    const { status } = await rig.call("POST", `${pods}/${name}/binding`, { metadata: { name }, target: { kind: "Node", name: node } });
    assert.equal(status, 201);
  }
  assert.deepEqual(await labelsOf(rig, "a"), { app: "web", ...place });
  assert.deepEqual(await labelsOf(rig, "b"), { app: "web", "topology.kubernetes.io/zone": "elsewhere" });
});

test("[ADM45] so does a pod that is made for its node", async () => {
  await using rig = await startWithNodes();
  await createPod(rig, "a", { nodeName: "placed" });
  await createPod(rig, "b", { nodeName: "missing" });
  assert.deepEqual(await labelsOf(rig, "a"), { app: "web", ...place });
  assert.deepEqual(await labelsOf(rig, "b"), { app: "web", "topology.kubernetes.io/zone": "elsewhere" });
});
