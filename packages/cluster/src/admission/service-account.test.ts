import assert from "node:assert/strict";
import { test } from "node:test";
import { admissionWebhook, asObject, startAdmissionRig } from "../testing/admission-rig.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";
const pods = "/api/v1/namespaces/default/pods";
const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a" }] } };

test("[ADM1] a pod waits for the account of its namespace, which a controller makes, and no longer than it must", async () => {
  await using rig = await startAdmissionRig({ serviceAccounts: true });
  const created = rig.call("POST", pods, pod);
  await rig.clock.advance(100);
  await rig.call("POST", accounts, { metadata: { name: "default" } });
  const { status, body } = await created;
  assert.deepEqual([status, asObject(body["spec"])["serviceAccountName"]], [201, "default"]);
});

test("[ADM1] a pod whose account no controller makes is refused in the end", async () => {
  await using rig = await startAdmissionRig({ serviceAccounts: true });
  const created = rig.call("POST", pods, pod);
  await rig.clock.advance(1500);
  const { status, body } = await created;
  const why = 'error looking up service account default/default: serviceaccount "default" not found';
  assert.deepEqual([status, body["message"]], [403, `pods "a" is forbidden: ${why}`]);
});

test("[ADM2] a second round of admission mounts no second token", async () => {
  const webhook = admissionWebhook((request) => {
    const isDone = asObject(asObject(asObject(request["object"])["metadata"])["labels"])["touched"] !== undefined;
    const patch = Buffer.from('[{"op":"add","path":"/metadata/labels","value":{"touched":"yes"}}]').toString("base64");
    return isDone ? { allowed: true } : { allowed: true, patchType: "JSONPatch", patch };
  });
  await using rig = await startAdmissionRig({
    serviceAccounts: true,
    webhooks: { inProcess: new Map([["https://localhost:9443", webhook]]) },
  });
  await rig.call("POST", accounts, { metadata: { name: "default" } });
  await rig.call("POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", {
    metadata: { name: "all" },
    webhooks: [
      {
        name: "all.example.com",
        clientConfig: { url: "https://localhost:9443" },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      },
    ],
  });
  const { body } = await rig.call("POST", pods, pod);
  const { volumes, containers } = asObject(body["spec"]);
  const mounts = Array.isArray(containers) ? asObject(containers[0])["volumeMounts"] : undefined;
  assert.deepEqual([Array.isArray(volumes) && volumes.length, Array.isArray(mounts) && mounts.length], [1, 1]);
});
