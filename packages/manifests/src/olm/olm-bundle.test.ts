import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { dns1123SubdomainErrors, labelValueErrors } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, defineOperator, watch, webhook } from "@kaji/runtime";
import type { OperatorDefinition } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap } from "@kaji/types/core/v1";
import { barOperator, calledOperator } from "../testing/bar-operator.ts";
import type { BundleOptions } from "./bundle-options.ts";
import { olmBundle } from "./olm-bundle.ts";
import { olmLosses } from "./olm-losses.ts";
import { validateBundle } from "./validate-bundle.ts";

/** What of a ClusterServiceVersion is looked at here. */
interface ReadVersion {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replaces?: string;
    readonly installModes: readonly { readonly type: string; readonly supported: boolean }[];
    readonly install: {
      readonly spec: Readonly<Record<string, readonly { readonly rules: readonly { readonly resources: readonly string[] }[] }[]>>;
    };
    readonly customresourcedefinitions: {
      readonly owned: readonly { readonly name: string; readonly version: string; readonly displayName: string }[];
    };
    readonly webhookdefinitions?: readonly Readonly<Record<string, unknown>>[];
  };
}

function versionOf(operator: OperatorDefinition, options: Omit<BundleOptions, "version"> = {}): ReadVersion {
  const files = olmBundle(operator, { version: "1.2.3", ...options });
  return parse(files.get("manifests/bars.clusterserviceversion.yaml") ?? assert.fail("there is no ClusterServiceVersion")) as ReadVersion;
}

test("a version names itself, what it replaces, what it owns, and has an example of each", () => {
  const { metadata, spec } = versionOf(barOperator, { replaces: "1.2.2" });
  assert.deepEqual([metadata.name, spec.replaces], ["bars.v1.2.3", "bars.v1.2.2"]);
  assert.deepEqual(
    spec.customresourcedefinitions.owned.map(({ name, version, displayName }) => [name, version, displayName]),
    [["bars.example.com", "v1", "Bar"]],
  );
  const [example] = JSON.parse(metadata.annotations["alm-examples"] ?? "[]") as readonly {
    readonly kind: string;
    readonly metadata: object;
  }[];
  assert.deepEqual([example?.kind, example?.metadata], ["Bar", { name: "bar-sample" }]);
});

test("there is an example of each version that is served", () => {
  const Bar = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Bar",
    spec: z.object({ size: z.int32().default(1) }),
    versions: {
      v2: { spec: z.object({ replicas: z.int32().default(2) }) },
      v1alpha1: { spec: z.object({ size: z.int32().default(1) }), served: false },
    },
  });
  const operator = defineOperator({ name: "bars", controllers: [defineController(Bar, { reconcile: () => undefined })] });
  const { metadata } = versionOf(operator);
  assert.deepEqual(JSON.parse(metadata.annotations["alm-examples"] ?? "[]"), [
    { apiVersion: "example.com/v1", kind: "Bar", metadata: { name: "bar-sample" }, spec: { size: 1 } },
    { apiVersion: "example.com/v2", kind: "Bar", metadata: { name: "bar-sample" }, spec: { replicas: 2 } },
  ]);
});

test("permissions are split: in the cluster only what is in no namespace", () => {
  const { clusterPermissions = [], permissions = [] } = versionOf(calledOperator).spec.install.spec;
  const resources = (list: typeof permissions): readonly string[] => list.flatMap(({ rules }) => rules.flatMap((rule) => rule.resources));
  assert.deepEqual(resources(clusterPermissions), ["nodes"]);
  assert.ok(resources(permissions).includes("deployments") && resources(permissions).includes("leases"));
  assert.equal(resources(permissions).includes("secrets"), false, "it has its certificates from elsewhere");
});

test("what is looked for in a namespace of its own is allowed in the cluster, and that is told: there is no role for another namespace", () => {
  const settings = watch(ConfigMap, { namespaces: ["settings"] });
  const controller = defineController(Deployment, { watches: [settings], reconcile: () => undefined });
  const operator = defineOperator({ name: "bars", controllers: [controller] });
  const { clusterPermissions = [] } = versionOf(operator).spec.install.spec;
  assert.deepEqual(
    clusterPermissions.flatMap(({ rules }) => rules.flatMap((rule) => rule.resources)),
    ["configmaps"],
  );
  assert.deepEqual(olmLosses(operator), [
    {
      level: "Warning",
      place: "permissions in settings",
      text: "hold in the whole cluster: the Operator Lifecycle Manager gives none in a namespace alone (configmaps)",
    },
  ]);
});

test("what an operator comes with beside its declaration is not in a bundle, and that is told", () => {
  const push = { apiVersion: "v1", kind: "Service", metadata: { name: "bars-push" } };
  const operator = defineOperator({ ...barOperator, manifests: () => [push] });
  assert.ok(![...olmBundle(operator, { version: "1.2.3" }).values()].some((text) => text.includes("bars-push")));
  assert.deepEqual(
    olmLosses(operator).map(({ place }) => place),
    ["manifests: Service bars-push"],
  );
});

test("copies, shards, limits and guarded metrics are in a bundle as in other manifests", () => {
  const options = { replicas: 3, shards: 9, resources: { limits: { memory: "1Gi" } }, metricsAuth: true };
  const { clusterPermissions = [], deployments: [deployment] = [] } = versionOf(barOperator, options).spec.install.spec;
  const text = JSON.stringify(deployment);
  for (const part of ['"replicas":3', '"--shards=9"', '"memory":"1Gi"', '"--metrics-auth"']) assert.ok(text.includes(part), part);
  const resources = clusterPermissions.flatMap(({ rules }) => rules.flatMap((rule) => rule.resources));
  assert.ok(resources.includes("tokenreviews") && resources.includes("subjectaccessreviews"));
  const files = olmBundle(barOperator, { version: "1.2.3", ...options });
  assert.ok(files.has("manifests/bars-metrics-reader.clusterrole.yaml"));
  assert.match(files.get("manifests/bars.poddisruptionbudget.yaml") ?? "", /^metadata:\n {2}name: bars\n {2}labels:/m);
  assert.deepEqual(
    validateBundle(files).filter(({ level }) => level === "Error"),
    [],
  );
});

test("webhooks are definitions that lead to the Deployment, which has its certificates where they are put", () => {
  const { spec } = versionOf(calledOperator);
  assert.deepEqual(
    spec.webhookdefinitions?.map(({ type, deploymentName, targetPort, webhookPath }) => [type, deploymentName, targetPort, webhookPath]),
    [
      ["MutatingAdmissionWebhook", "bars", 9443, "/mutate-example-com-v1-bar"],
      ["ValidatingAdmissionWebhook", "bars", 9443, "/validate-example-com-v1-bar"],
    ],
  );
  assert.match(JSON.stringify(spec.install), /"--webhook-certificates=\/tmp\/k8s-webhook-server\/serving-certs"/);
  assert.equal(versionOf(barOperator).spec.webhookdefinitions, undefined);
});

test("the name of a webhook is one that the Operator Lifecycle Manager can make a label of, however long kind and group are", () => {
  const Template = defineResource({
    group: "infrastructure.cluster.example.com",
    version: "v1beta2",
    kind: "ManagedControlPlaneTemplate",
    spec: z.object({}),
  });
  const operator = defineOperator({
    name: "bars",
    controllers: [],
    webhooks: [webhook(Template, { default: () => {}, validate: () => {} })],
  });
  const names = versionOf(operator).spec.webhookdefinitions?.map(({ generateName }) => String(generateName)) ?? [];
  assert.deepEqual(names, [
    "mutate.managedcontrolplanetemplate.v1beta2.in.e734e405.kaji.dev",
    "validate.managedcontrolplanetemplate.v1beta2.98927339.kaji.dev",
  ]);
  assert.ok(names.every((name) => labelValueErrors(name).length === 0 && dns1123SubdomainErrors(name).length === 0));
});

test("what a webhook says and the Operator Lifecycle Manager has no field for is left out, and told", () => {
  const matchConditions = [{ name: "small", expression: "object.spec.replicas < 3" }];
  const hook = webhook(Deployment, {
    validate: () => {},
    namespaceSelector: { matchLabels: { team: "a" } },
    matchConditions,
    timeoutSeconds: 5,
  });
  const operator = { ...calledOperator, webhooks: [hook] };
  const [definition = {}] = versionOf(operator).spec.webhookdefinitions ?? [];
  assert.deepEqual(
    ["namespaceSelector", "matchConditions", "timeoutSeconds"].map((field) => definition[field]),
    [undefined, undefined, 5],
  );
  assert.deepEqual(
    olmLosses(operator).map(({ level, place }) => [level, place]),
    [
      ["Warning", "webhook validate.deployment.v1.apps: namespaceSelector"],
      ["Warning", "webhook validate.deployment.v1.apps: matchConditions"],
    ],
  );
  assert.deepEqual(olmLosses(calledOperator), []);
});

test("a channel is named once, and one with a space in it does not break the Dockerfile", () => {
  const text = olmBundle(barOperator, { version: "1.2.3", channels: ["stable", "stable", "fast lane"] }).get("Dockerfile");
  assert.match(text ?? "", /^LABEL operators\.operatorframework\.io\.bundle\.channels\.v1="stable,fast lane"$/m);
});

test("a version that is none is refused", () => {
  assert.throws(() => olmBundle(barOperator, { version: "v1" }), /^TypeError: version: "v1" is not a version such as 1\.2\.3$/);
});
