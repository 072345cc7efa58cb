import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const networking = "/apis/networking.k8s.io/v1";
const isDefault = { "ingressclass.kubernetes.io/is-default-class": "true" };

async function addClass(rig: AdmissionRig, name: string, annotations: JsonObject): Promise<void> {
  const { status } = await rig.call("POST", `${networking}/ingressclasses`, {
    metadata: { name, annotations },
    spec: { controller: "example.com/proxy" },
  });
  assert.equal(status, 201);
}

async function classOf(rig: AdmissionRig, metadata: JsonObject, spec: JsonObject = {}): Promise<unknown> {
  const defaultBackend = { service: { name: "web", port: { number: 80 } } };
  const { body } = await rig.call("POST", `${networking}/namespaces/default/ingresses`, { metadata, spec: { defaultBackend, ...spec } });
  return asObject(body["spec"])["ingressClassName"];
}

test("[ADM46] an Ingress without a class gets the default one: of several the newest, and then the first by name", async () => {
  await using rig = await startAdmissionRig();
  await addClass(rig, "other", {});
  assert.equal(await classOf(rig, { name: "a" }), undefined);
  await addClass(rig, "old", isDefault);
  await rig.clock.advance(1000);
  for (const name of ["c", "b"]) await addClass(rig, name, isDefault);
  assert.equal(await classOf(rig, { name: "b" }), "b");
  assert.equal(await classOf(rig, { name: "c" }, { ingressClassName: "other" }), "other");
  assert.equal(await classOf(rig, { name: "d", annotations: { "kubernetes.io/ingress.class": "other" } }), undefined);
});

test("[ADM46] a claim without a class gets the default one in the same way", async () => {
  await using rig = await startAdmissionRig();
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  for (const name of ["c", "b"])
    await rig.call("POST", "/apis/storage.k8s.io/v1/storageclasses", { metadata: { name, annotations }, provisioner: "example.com/disks" });
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const { body } = await rig.call("POST", "/api/v1/namespaces/default/persistentvolumeclaims", { metadata: { name: "data" }, spec });
  assert.equal(asObject(body["spec"])["storageClassName"], "b");
});
