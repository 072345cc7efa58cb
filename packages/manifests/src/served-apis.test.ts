import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { defineResource } from "@kaji/core/define";
import { api, customMetric, defineOperator, externalMetric } from "@kaji/runtime";
import { ConfigMap, Node } from "@kaji/types/core/v1";
import type { ManifestOptions } from "./manifest-options.ts";
import { olmBundle } from "./olm/olm-bundle.ts";
import { operatorManifests } from "./operator-manifests.ts";
import { barOperator } from "./testing/bar-operator.ts";

const PageCount = resource<KubeObject>({
  group: "counts.example.com",
  version: "v1",
  kind: "PageCount",
  plural: "pagecounts",
  scope: "Namespaced",
});

const operator = defineOperator({
  ...barOperator,
  apis: [
    api(PageCount, { watches: [ConfigMap, Node], list: () => [] }),
    externalMetric("pages", { values: () => [] }),
    externalMetric("visits", { values: () => [] }),
    customMetric("visits", Node, { values: () => [] }),
  ],
});

function made(kind: string, name: string, options: ManifestOptions = {}): Record<string, unknown> {
  const { rbac, webhooks, network, manager } = operatorManifests(operator, options);
  const found = [...rbac, ...webhooks, ...network, ...manager].find((object) => object.kind === kind && object.metadata.name === name);
  return { ...(found ?? assert.fail(`there is no ${kind} ${name}`)) };
}

test("each version of a group that an operator serves has an APIService, through the Service of its webhooks", () => {
  assert.deepEqual(made("APIService", "v1.counts.example.com")["spec"], {
    group: "counts.example.com",
    version: "v1",
    service: { namespace: "bars-system", name: "bars-webhook", port: 443 },
    groupPriorityMinimum: 1000,
    versionPriority: 100,
  });
  const { webhooks } = operatorManifests(operator);
  assert.deepEqual(
    webhooks.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    [
      "Service bars-webhook",
      "APIService v1.counts.example.com",
      "APIService v1beta1.external.metrics.k8s.io",
      "APIService v1beta2.custom.metrics.k8s.io",
    ],
  );
  const signed = made("APIService", "v1.counts.example.com", { certificates: "cert-manager" });
  assert.partialDeepStrictEqual(signed["metadata"], { annotations: { "cert-manager.io/inject-ca-from": "bars-system/bars-webhook" } });
  assert.match(JSON.stringify(made("Deployment", "bars")), /"containerPort":9443/);
  assert.match(JSON.stringify(made("NetworkPolicy", "bars")), /"port":9443/);
});

test("at a URL they are found through a Service that leads there, since an APIService knows no other way", () => {
  const webhookUrl = "https://127.0.0.1:4711";
  assert.deepEqual(made("Service", "bars-webhook", { webhookUrl })["spec"], { type: "ExternalName", externalName: "127.0.0.1" });
  assert.partialDeepStrictEqual(made("APIService", "v1.counts.example.com", { webhookUrl })["spec"], {
    service: { namespace: "bars-system", name: "bars-webhook", port: 4711 },
  });
});

test("an operator with APIs may know its clients, ask what they may, tell whom to trust, and read what it serves them from", () => {
  const reader = made("RoleBinding", "bars-authentication-reader");
  assert.partialDeepStrictEqual(reader, {
    metadata: { namespace: "kube-system" },
    roleRef: { kind: "Role", name: "extension-apiserver-authentication-reader" },
    subjects: [{ kind: "ServiceAccount", name: "bars", namespace: "bars-system" }],
  });
  const rules = JSON.stringify(made("ClusterRole", "bars")["rules"]);
  assert.match(rules, /"apiGroups":\["authorization.k8s.io"\],"resources":\["subjectaccessreviews"\],"verbs":\["create"\]/);
  const names = '"resourceNames":["v1.counts.example.com","v1beta1.external.metrics.k8s.io","v1beta2.custom.metrics.k8s.io"]';
  assert.ok(rules.includes(`"resources":["apiservices"],${names},"verbs":["get","watch","patch"]`), rules);
  assert.match(rules, /"resources":\["configmaps"\],"verbs":\["list","watch"\]/);
  const files = JSON.stringify(made("ClusterRole", "bars", { certificates: "cert-manager" })["rules"]);
  assert.ok(files.includes("subjectaccessreviews") && !files.includes("apiservices"), files);
});

test("who may view resources may view the kinds that are served, and metrics are for those who are bound to them", () => {
  const viewer = made("ClusterRole", "bars-pagecount-viewer");
  assert.deepEqual(viewer["rules"], [{ apiGroups: ["counts.example.com"], resources: ["pagecounts"], verbs: ["get", "list"] }]);
  assert.match(JSON.stringify(viewer["metadata"]), /aggregate-to-view/);
  const metrics = made("ClusterRole", "bars-pages-viewer");
  assert.deepEqual(metrics["rules"], [{ apiGroups: ["external.metrics.k8s.io"], resources: ["pages"], verbs: ["list"] }]);
  assert.doesNotMatch(JSON.stringify(metrics["metadata"]), /aggregate-to/);
  const ofNodes = made("ClusterRole", "bars-nodes-visits-viewer");
  assert.deepEqual(ofNodes["rules"], [{ apiGroups: ["custom.metrics.k8s.io"], resources: ["nodes/visits"], verbs: ["get"] }]);
});

test("who may view resources may not view a served kind that is only for a few", () => {
  const Secretive = defineResource({ group: "counts.example.com", version: "v1", kind: "Secretive", userAccess: "none" });
  const { rbac } = operatorManifests(defineOperator({ ...barOperator, apis: [api(Secretive, { list: () => [] })] }));
  const viewer = rbac.find(({ metadata }) => metadata.name === "bars-secretive-viewer");
  assert.doesNotMatch(JSON.stringify(viewer ?? assert.fail("there is no role")), /aggregate-to/);
});

test("the Operator Lifecycle Manager is told of the kinds, and makes Service, certificate and APIServices by itself", () => {
  const files = olmBundle(operator, { version: "1.2.3" });
  const version = files.get("manifests/bars.clusterserviceversion.yaml") ?? assert.fail("there is no ClusterServiceVersion");
  const [, owned = ""] = /^ {2}apiservicedefinitions:\n((?: {4}.*\n)+)/m.exec(version) ?? [];
  assert.equal(owned.match(/kind: (PageCount|ExternalMetricValueList)/g)?.length, 3);
  assert.match(
    owned,
    /name: pagecounts\n +group: counts\.example\.com\n +version: v1\n +kind: PageCount\n +deploymentName: bars\n +containerPort: 9443\n/,
  );
  assert.doesNotMatch(version, /webhookdefinitions/);
  assert.match(version, /--webhook-certificates=\/tmp\/k8s-webhook-server\/serving-certs/);
});

test("an API is of another group and version than what is stored, and there is one of a kind", () => {
  const Stored = resource<KubeObject>({ group: "example.com", version: "v1", kind: "Total", plural: "totals", scope: "Cluster" });
  const total = api(Stored, { list: () => [] });
  assert.throws(() => defineOperator({ ...barOperator, apis: [total] }), {
    message: "operator bars: the API of Total needs another group or version than example.com/v1, which is that of Bar",
  });
  assert.throws(() => defineOperator({ name: "bars", controllers: [], apis: [total, total] }), {
    message: "operator bars has two APIs of totals.v1.example.com",
  });
});
