import assert from "node:assert/strict";
import { test } from "node:test";
import { asObject, startAdmissionRig } from "../testing/admission-rig.ts";
import { createFirstObjects } from "./first-objects.ts";
import { LocalApi } from "./local-api.ts";

test("[NS2] a control plane starts again though a webhook for everything is not there", async () => {
  await using rig = await startAdmissionRig();
  const api = new LocalApi(rig.server.transport(), "kube-apiserver");
  await createFirstObjects(api, { host: "192.0.2.1", port: 6443 });
  await rig.call("POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", {
    metadata: { name: "all" },
    webhooks: [
      {
        name: "all.example.com",
        clientConfig: { service: { namespace: "default", name: "absent" } },
        rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      },
    ],
  });
  await createFirstObjects(api, { host: "192.0.2.1", port: 6444 });
  const { body } = await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "more" } });
  assert.match(JSON.stringify(asObject(body)["message"]), /service \\"absent\\" not found/);
});
