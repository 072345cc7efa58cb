import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiServer } from "@kaji/apiserver";
import { admissionWebhook, startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const configMaps = "/api/v1/namespaces/short/configmaps";
const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];

/** A server with a webhook for config maps, during whose call something happens. */
async function rigWith(interrupt: (rig: AdmissionRig) => Promise<unknown>): Promise<AdmissionRig> {
  const webhook = admissionWebhook(async () => {
    await interrupt(rig);
    return { allowed: true };
  });
  const rig = await startAdmissionRig({ webhooks: { inProcess: new Map([["https://localhost:9443", webhook]]) } });
  const clientConfig = { url: "https://localhost:9443/" };
  const webhooks = [{ name: "slow.example.com", clientConfig, rules, sideEffects: "None", admissionReviewVersions: ["v1"] }];
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  assert.equal((await rig.call("POST", path, { metadata: { name: "slow" }, webhooks })).status, 201);
  assert.equal((await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "short" } })).status, 201);
  return rig;
}

function hasMaps({ registry }: ApiServer): boolean {
  return registry.storage.count("/registry/configmaps/short/") > 0;
}

test("[NS4] an object is refused whose namespace is deleted while webhooks are asked about it", async () => {
  await using rig = await rigWith((each) => each.call("DELETE", "/api/v1/namespaces/short"));
  const { status, body } = await rig.call("POST", configMaps, { metadata: { name: "late" } });
  const why = "unable to create new content in namespace short because it is being terminated";
  assert.deepEqual([status, body["message"]], [403, `configmaps "late" is forbidden: ${why}`]);
  assert.equal(hasMaps(rig.server), false);
});

test("[NS4] so is one whose namespace has gone by then", async () => {
  await using rig = await rigWith(async (each) => {
    const { body } = await each.call("DELETE", "/api/v1/namespaces/short");
    assert.equal((await each.call("PUT", "/api/v1/namespaces/short/finalize", { ...body, spec: { finalizers: [] } })).status, 200);
  });
  assert.equal((await rig.call("POST", configMaps, { metadata: { name: "late" } })).status, 404);
  assert.equal(hasMaps(rig.server), false);
});
