import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, k } from "@kaji/core/define";
import { Deployment } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { z } from "zod";
import { webhook } from "./webhook.ts";
import { conversionStrategy, webhookConfigurations } from "./webhook-configuration.ts";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({ deploymentName: k.dnsLabel() }) });
const target = { type: "Service", namespace: "ops", name: "bars-webhook" } as const;

test("[WH20] a configuration has the rules, paths and policies of its webhooks", () => {
  const hook = webhook(Bar, {
    default: () => {},
    validate: () => {},
    validateDelete: () => {},
    timeoutSeconds: 5,
    reinvocationPolicy: "IfNeeded",
  });
  const { mutating, validating } = webhookConfigurations([hook], { name: "bars", target, caBundle: "PEM" });
  const service = { namespace: "ops", name: "bars-webhook", port: 443 };
  const rule = { apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["bars"], scope: "Namespaced" };
  const common = {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    timeoutSeconds: 5,
    admissionReviewVersions: ["v1"],
  };
  assert.deepEqual(mutating, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "bars" },
    webhooks: [
      {
        name: "mutate.bar.v1.example.com",
        clientConfig: { service: { ...service, path: "/mutate-example-com-v1-bar" }, caBundle: "UEVN" },
        rules: [{ operations: ["CREATE", "UPDATE"], ...rule }],
        ...common,
        reinvocationPolicy: "IfNeeded",
      },
    ],
  });
  assert.deepEqual(validating?.webhooks, [
    {
      name: "validate.bar.v1.example.com",
      clientConfig: { service: { ...service, path: "/validate-example-com-v1-bar" }, caBundle: "UEVN" },
      rules: [{ operations: ["CREATE", "UPDATE", "DELETE"], ...rule }],
      ...common,
    },
  ]);
});

test("[WH21] the operator's own namespace is left out, beside what the webhook itself selects", () => {
  const namespaceSelector = { matchLabels: { team: "a" }, matchExpressions: [{ key: "x", operator: "Exists" as const }] };
  const hook = webhook(Deployment, { validate: () => {}, namespaceSelector });
  const { mutating, validating } = webhookConfigurations([hook], { name: "bars", target, namespace: "ops" });
  assert.equal(mutating, undefined);
  assert.deepEqual(validating?.webhooks?.[0]?.namespaceSelector, {
    matchLabels: { team: "a" },
    matchExpressions: [
      { key: "x", operator: "Exists" },
      { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["ops"] },
    ],
  });
});

test("[WH22] a URL takes the place of a service", () => {
  assert.deepEqual(conversionStrategy({ target: { type: "Url", url: "https://127.0.0.1:9443/" } }), {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://127.0.0.1:9443/convert" } },
  });
});

test("[WH23] an operator of some namespaces is asked about these alone", () => {
  const hook = webhook(Deployment, { validate: () => {} });
  const options = { name: "bars", target, namespace: "ops", watchNamespaces: ["shop", "stock"] };
  assert.deepEqual(webhookConfigurations([hook], options).validating?.webhooks?.[0]?.namespaceSelector, {
    matchExpressions: [
      { key: "kubernetes.io/metadata.name", operator: "In", values: ["shop", "stock"] },
      { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["ops"] },
    ],
  });
});

test("[WH24] a webhook is asked about the operations that it is for, and about deletions if it judges them", () => {
  const hook = webhook(Bar, { default: () => {}, validate: () => {}, validateDelete: () => {}, operations: ["CREATE"] });
  const { mutating, validating } = webhookConfigurations([hook], { name: "bars", target });
  assert.deepEqual(mutating?.webhooks?.[0]?.rules?.[0]?.operations, ["CREATE"]);
  assert.deepEqual(validating?.webhooks?.[0]?.rules?.[0]?.operations, ["CREATE", "DELETE"]);
  assert.throws(() => webhook(Bar, { validate: () => {}, operations: [] }), /the webhook of Bar \(example.com\/v1\) is for no operations/);
});

test("[WH25] a webhook is asked about the subresources that it names", () => {
  const hook = webhook(Pod, { validate: () => {}, subresources: ["ephemeralcontainers", "resize"] });
  const { validating } = webhookConfigurations([hook], { name: "pods", target });
  assert.deepEqual(validating?.webhooks?.[0]?.rules?.[0]?.resources, ["pods", "pods/ephemeralcontainers", "pods/resize"]);
});
