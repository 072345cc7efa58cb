import assert from "node:assert/strict";
import { test } from "node:test";
import { admissionWebhook, startAdmissionRig } from "../testing/admission-rig.ts";
import { objectField, objectsField } from "../kinds/json-fields.ts";
import { LocalApi } from "./local-api.ts";
import { NamespaceController } from "./namespace-controller.ts";

test("[NS1] a namespace whose content a webhook keeps from going ends when the webhook gives in", async () => {
  let isAllowed = false;
  const webhook = admissionWebhook(() => ({ allowed: isAllowed }));
  await using rig = await startAdmissionRig({ webhooks: { inProcess: new Map([["https://localhost:9443", webhook]]) } });
  using controller = new NamespaceController(rig.server, new LocalApi(rig.server.transport(), "test"), "authority");
  await rig.call("POST", "/api/v1/namespaces", { metadata: { name: "kept" } });
  await rig.call("POST", "/api/v1/namespaces/kept/configmaps", { metadata: { name: "a" } });
  await rig.call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "keeper" },
    webhooks: [
      {
        name: "keeper.example.com",
        clientConfig: { url: "https://localhost:9443" },
        rules: [{ operations: ["DELETE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      },
    ],
  });
  await rig.call("DELETE", "/api/v1/namespaces/kept");
  await controller.settled();
  await rig.clock.advance(5000);
  await controller.settled();
  const { body } = await rig.call("GET", "/api/v1/namespaces/kept");
  const failure = objectsField(objectField(body, "status"), "conditions").find(({ type }) => type === "NamespaceDeletionContentFailure");
  assert.partialDeepStrictEqual(failure, {
    status: "True",
    reason: "ContentDeletionFailed",
    message:
      'Failed to delete all resource types, 1 remaining: admission webhook "keeper.example.com" denied the request without explanation',
  });
  isAllowed = true;
  await rig.clock.advance(1000);
  await controller.settled();
  assert.equal((await rig.call("GET", "/api/v1/namespaces/kept")).status, 404);
});
