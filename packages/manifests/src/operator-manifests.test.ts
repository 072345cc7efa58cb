import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@kaji/core";
import { defineResource } from "@kaji/core/define";
import { defineController, defineOperator, use, watch } from "@kaji/runtime";
import type { OperatorDeclaration, OperatorDefinition } from "@kaji/runtime";
import type { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, LimitRange, Namespace, Node, Secret } from "@kaji/types/core/v1";
import type { EnvVar } from "@kaji/types/core/v1";
import type { ClusterRole, Role } from "@kaji/types/rbac/v1";
import { z } from "zod";
import type { ManifestOptions } from "./manifest-options.ts";
import { operatorManifests } from "./operator-manifests.ts";
import { barOperator, calledOperator } from "./testing/bar-operator.ts";

function idsOf(objects: readonly KubeObject[]): readonly string[] {
  return objects.map(({ kind, metadata: { namespace, name } }) => `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`);
}

test("a resource that no controller is about, such as a policy, comes with the operator that names it, and one that is only read does not", () => {
  const kindOf = (kind: string) =>
    defineResource({ group: "example.com", version: "v1", kind, scope: "Cluster", spec: z.object({ text: z.string().default("") }) });
  const [Policy, Foreign] = [kindOf("Policy"), kindOf("Foreign")];
  const controller = defineController(Namespace, { watches: [Policy, Foreign], reconcile: () => undefined });
  const operator = defineOperator({ name: "bars", controllers: [controller], resources: [Policy] });
  const { crds, samples, rbac } = operatorManifests(operator);
  assert.deepEqual(idsOf([...crds, ...samples]), ["CustomResourceDefinition policies.example.com", "Policy policy-sample"]);
  assert.ok(idsOf(rbac).includes("ClusterRole bars-policy-editor"));
});

test("what users make they may edit by the roles that they have, what the operator makes they may view, and what is for a few is bound by name", () => {
  const aggregationOf = (userAccess: "edit" | "view" | "none" | undefined): readonly string[] => {
    const access = userAccess === undefined ? {} : { userAccess };
    const Part = defineResource({ group: "example.com", version: "v1", kind: "Part", spec: z.object({}), ...access });
    const { rbac } = operatorManifests(
      defineOperator({ name: "bars", controllers: [defineController(Part, { reconcile: () => undefined })] }),
    );
    const roles = rbac.filter(({ metadata }) => metadata.name.startsWith("bars-part-"));
    assert.equal(roles.length, 3);
    return roles.flatMap(({ metadata }) => Object.keys(metadata.labels ?? {}).filter((label) => label.includes("aggregate")));
  };
  const label = (role: string): string => `rbac.authorization.k8s.io/aggregate-to-${role}`;
  assert.deepEqual(aggregationOf(undefined), ["admin", "edit", "view"].map(label));
  assert.deepEqual(aggregationOf("edit"), ["admin", "edit", "view"].map(label));
  assert.deepEqual(aggregationOf("view"), [label("view")]);
  assert.deepEqual(aggregationOf("none"), []);
});

test("what an operator says that it comes with is in its manifests, in its place and with its labels, roles with roles", () => {
  const declared = (manifests: OperatorDeclaration["manifests"]): OperatorDefinition => defineOperator({ ...barOperator, manifests });
  const operator = declared(({ name, namespace, podLabels }) => [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "bars-push", namespace, labels: { tier: "edge" } },
      spec: { selector: podLabels },
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "bars-authentication-reader", namespace: "kube-system" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "extension-apiserver-authentication-reader" },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
  ]);
  const labels = { "app.kubernetes.io/name": "bars", "app.kubernetes.io/managed-by": "kaji" };
  const { rbac, others, manager } = operatorManifests(operator, { namespace: "here" });
  const deployment = manager.find((each): each is Deployment => each.kind === "Deployment");
  const selector = deployment?.spec?.selector.matchLabels;
  const metadata = { name: "bars-push", namespace: "here", labels: { tier: "edge", ...labels } };
  assert.deepEqual(others, [{ apiVersion: "v1", kind: "Service", metadata, spec: { selector } }]);
  const binding = rbac.at(-1);
  assert.deepEqual([idsOf(rbac).at(-1), binding?.metadata.labels], ["RoleBinding kube-system/bars-authentication-reader", labels]);
  assert.ok(JSON.stringify(binding).includes('"subjects":[{"kind":"ServiceAccount","name":"bars","namespace":"here"}]'));

  const push = { apiVersion: "v1", kind: "Service", metadata: { name: "bars-metrics", namespace: "bars-system" } };
  assert.throws(
    () => operatorManifests(declared(() => [push])),
    /^TypeError: operator bars: manifests has Service bars-system\/bars-metrics, which follows from its declaration already; give it another name$/,
  );
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "a" } };
  assert.throws(
    () => operatorManifests(declared(() => [definition])),
    /manifests\[0\] is a CustomResourceDefinition: name its resource in resources/,
  );
  assert.throws(
    () => operatorManifests(declared(() => [{ apiVersion: "v1", kind: "Service", metadata: { name: "" } }])),
    /manifests\[0\] has to have apiVersion, kind and metadata\.name/,
  );
});

/** The rules of a role as `verbs groups/resources names`. */
function rulesOf(operator: OperatorDefinition, kind: string, name: string, options: ManifestOptions = {}): readonly string[] {
  const { rbac } = operatorManifests(operator, options);
  const role = rbac.find((each): each is ClusterRole | Role => each.kind === kind && each.metadata.name === name);
  return (role?.rules ?? []).map(({ verbs, apiGroups, resources, resourceNames }) =>
    [verbs.join(), `${apiGroups?.join()}/${resources?.join()}`, ...(resourceNames ?? [])].join(" "),
  );
}

test("an operator of some namespaces may read what a controller looks for in another, and only there", () => {
  const settings = watch(Secret, { namespaces: ["settings"] });
  const controller = defineController(Namespace, { name: "settings", owns: [ConfigMap], watches: [settings], reconcile: () => undefined });
  const operator = defineOperator({ name: "bars", controllers: [controller] });
  const { rbac } = operatorManifests(operator, { watchNamespaces: ["a"] });
  assert.deepEqual(
    idsOf(rbac).filter((id) => id.startsWith("Role")),
    [
      "Role a/bars",
      "RoleBinding a/bars",
      "Role settings/bars-declared",
      "RoleBinding settings/bars-declared",
      "Role bars-system/bars-own-namespace",
      "RoleBinding bars-system/bars-own-namespace",
    ],
  );
  const options = { watchNamespaces: ["a"] };
  assert.deepEqual(rulesOf(operator, "Role", "bars-declared", options), ["get,list,watch /secrets"]);
  assert.equal(rulesOf(operator, "Role", "bars", options).join().includes("secrets"), false);
});

test("an operator of all namespaces may read what a controller looks for in one, and only there", () => {
  const settings = watch(Secret, { namespaces: ["settings"] });
  const controller = defineController(Namespace, { name: "settings", owns: [ConfigMap], watches: [settings], reconcile: () => undefined });
  const operator = defineOperator({ name: "bars", controllers: [controller] });
  assert.deepEqual(rulesOf(operator, "Role", "bars-declared"), ["get,list,watch /secrets"]);
  const wide = rulesOf(operator, "ClusterRole", "bars").join();
  assert.deepEqual([wide.includes("configmaps"), wide.includes("secrets")], [true, false]);
});

test("samples are in a namespace that the operator looks after", () => {
  const places = (options?: ManifestOptions): readonly unknown[] =>
    operatorManifests(barOperator, options).samples.map(({ metadata }) => metadata.namespace);
  assert.deepEqual([places(), places({ watchNamespaces: ["team-a", "team-b"] })], [["default"], ["team-a"]]);
});

test("an operator that is called like a role of Kubernetes is refused: it would replace that role", () => {
  const operator = { ...barOperator, name: "view" };
  assert.throws(
    () => operatorManifests(operator),
    /^TypeError: operator view cannot be installed under this name, since the ClusterRole view is Kubernetes' own$/,
  );
});

test("an operator has its definitions, namespace, account, roles, network and Deployment, and a sample of each resource", () => {
  const { crds, namespace, rbac, network, manager, webhooks, samples } = operatorManifests(barOperator);
  assert.deepEqual(idsOf([...crds, ...namespace, ...network, ...manager, ...webhooks, ...samples]), [
    "CustomResourceDefinition bars.example.com",
    "Namespace bars-system",
    "Service bars-system/bars-metrics",
    "NetworkPolicy bars-system/bars",
    "Deployment bars-system/bars",
    "Bar default/bar-sample",
  ]);
  assert.deepEqual(idsOf(rbac), [
    "ServiceAccount bars-system/bars",
    "ClusterRole bars",
    "ClusterRoleBinding bars",
    "Role bars-system/bars-own-namespace",
    "RoleBinding bars-system/bars-own-namespace",
    "ClusterRole bars-bar-admin",
    "ClusterRole bars-bar-editor",
    "ClusterRole bars-bar-viewer",
  ]);
});

test("the operator may do what its controllers declare, and hold its own lease", () => {
  assert.deepEqual(rulesOf(barOperator, "ClusterRole", "bars"), [
    "list /nodes",
    "get,list,watch,create,patch,delete apps/deployments",
    "create,patch events.k8s.io/events",
    "get,list,watch example.com/bars",
    "update example.com/bars/finalizers",
    "update,patch example.com/bars/status",
  ]);
  assert.deepEqual(rulesOf(barOperator, "Role", "bars-own-namespace"), [
    "create coordination.k8s.io/leases",
    "get,watch,update coordination.k8s.io/leases bars",
  ]);
});

test("copies that share all objects are started so, and may keep the leases of their shards", () => {
  const options = { replicas: 3, shards: 8 };
  assert.deepEqual(rulesOf(barOperator, "Role", "bars-own-namespace", options), [
    "get,list,watch,create,update,delete coordination.k8s.io/leases",
  ]);
  const deployment = operatorManifests(barOperator, options).manager.find((each): each is Deployment => each.kind === "Deployment");
  const [container] = deployment?.spec?.template.spec?.containers ?? [];
  assert.ok(container?.args?.includes("--shards=8") && !container.args.includes("--leader-elect"));
});

test("what its webhooks read or watch it may read or watch, in the whole cluster if it is in no namespace", () => {
  const reading = {
    ...calledOperator,
    webhooks: calledOperator.webhooks.map((hook) => ({
      ...hook,
      uses: [use(Namespace, "get"), use(Secret, "list")],
      watches: [watch(Node), watch(LimitRange)],
    })),
  };
  assert.deepEqual(
    rulesOf(reading, "ClusterRole", calledOperator.name).filter((rule) => /namespaces|secrets|nodes|limitranges/.test(rule)),
    ["list,watch /limitranges", "get /namespaces", "list,watch /nodes", "list /secrets"],
  );
  const apart = { watchNamespaces: ["shop"] };
  const isRead = (rule: string): boolean => /get \/namespaces|list \/secrets|list,watch \/(?:limitranges|nodes)/.test(rule);
  assert.deepEqual(rulesOf(reading, "ClusterRole", calledOperator.name, apart).filter(isRead), ["get /namespaces", "list,watch /nodes"]);
  assert.deepEqual(rulesOf(reading, "Role", calledOperator.name, apart).filter(isRead), ["list,watch /limitranges", "list /secrets"]);
});

test("whoever may change a resource that can be scaled may scale it", () => {
  const Pool = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Pool",
    spec: z.object({ replicas: z.int32().min(0).default(1) }),
    status: z.object({ replicas: z.int32().min(0).default(0) }),
    scale: { specReplicasPath: "spec.replicas", statusReplicasPath: "status.replicas" },
  });
  const operator = defineOperator({ name: "pools", controllers: [defineController(Pool, { reconcile: () => undefined })] });
  const scaleRulesOf = (rank: string): readonly string[] =>
    rulesOf(operator, "ClusterRole", `pools-pool-${rank}`).filter((rule) => rule.includes("/scale"));
  assert.deepEqual(scaleRulesOf("admin"), ["get,update,patch example.com/pools/scale"]);
  assert.deepEqual(scaleRulesOf("editor"), ["get,update,patch example.com/pools/scale"]);
  assert.deepEqual(scaleRulesOf("viewer"), ["get example.com/pools/scale"]);
  assert.deepEqual(rulesOf(barOperator, "ClusterRole", "bars-bar-editor").length, 2);
});

test("what is declared in permissions is in the roles, in that of the cluster where no other declaration says where its kind is", () => {
  const bind = { apiGroup: "rbac.authorization.k8s.io", resource: "clusterroles", resourceNames: ["admin"], verbs: ["bind"] };
  const granting = {
    ...barOperator,
    controllers: barOperator.controllers.map((controller) => ({ ...controller, permissions: [bind] })),
  };
  const isBind = (rule: string): boolean => rule.startsWith("bind ");
  for (const options of [{}, { watchNamespaces: ["shop"] }]) {
    assert.deepEqual(rulesOf(granting, "ClusterRole", "bars", options).filter(isBind), [
      "bind rbac.authorization.k8s.io/clusterroles admin",
    ]);
  }
});

test("webhooks with certificates of its own let it keep them in its Secret and tell the API server, and nothing more", () => {
  assert.deepEqual(rulesOf(calledOperator, "ClusterRole", "bars").slice(-2), [
    "get,watch,patch admissionregistration.k8s.io/mutatingwebhookconfigurations bars",
    "get,watch,patch admissionregistration.k8s.io/validatingwebhookconfigurations bars",
  ]);
  assert.deepEqual(rulesOf(calledOperator, "Role", "bars-own-namespace").slice(-2), [
    "create /secrets",
    "get,watch,update /secrets bars-webhook-certificates",
  ]);
});

test("with cert-manager it has no secrets to keep: it reads files, and cert-manager tells the API server", () => {
  const options = { certificates: "cert-manager" } as const;
  const { webhooks, manager } = operatorManifests(calledOperator, options);
  assert.deepEqual(idsOf(webhooks), [
    "Service bars-system/bars-webhook",
    "Issuer bars-system/bars-self-signed",
    "Certificate bars-system/bars-webhook",
    "MutatingWebhookConfiguration bars",
    "ValidatingWebhookConfiguration bars",
  ]);
  assert.deepEqual(webhooks.at(-1)?.metadata.annotations, { "cert-manager.io/inject-ca-from": "bars-system/bars-webhook" });
  assert.equal(rulesOf(calledOperator, "ClusterRole", "bars", options).join().includes("admissionregistration"), false);
  assert.match(JSON.stringify(manager), /"secretName":"bars-webhook-certificate"/);
});

test("an operator of some namespaces has a Role in each, and a ClusterRole only for what is in none", () => {
  const watchNamespaces = ["shop", "stock"];
  const { rbac, manager } = operatorManifests(barOperator, { watchNamespaces });
  assert.deepEqual(idsOf(rbac).slice(0, 9), [
    "ServiceAccount bars-system/bars",
    "ClusterRole bars",
    "ClusterRoleBinding bars",
    "Role shop/bars",
    "RoleBinding shop/bars",
    "Role stock/bars",
    "RoleBinding stock/bars",
    "Role bars-system/bars-own-namespace",
    "RoleBinding bars-system/bars-own-namespace",
  ]);
  assert.deepEqual(rulesOf(barOperator, "ClusterRole", "bars", { watchNamespaces }), ["list /nodes"]);
  assert.match(JSON.stringify(manager), /"--namespaces=shop,stock"/);
});

test("a namespace that is named twice counts once, and none at all is refused", () => {
  const once = operatorManifests(barOperator, { watchNamespaces: ["shop"] });
  assert.deepEqual(operatorManifests(barOperator, { watchNamespaces: ["shop", "shop"] }), once);
  assert.throws(() => operatorManifests(barOperator, { watchNamespaces: [] }), /^TypeError: watchNamespaces: there is none to look after/);
});

test("the webhooks of an operator of some namespaces are asked about these alone", () => {
  const { webhooks } = operatorManifests(calledOperator, { watchNamespaces: ["shop", "stock"] });
  const asked = /"key":"kubernetes.io\/metadata.name","operator":"In","values":\["shop","stock"\]/;
  for (const configuration of webhooks.slice(-2)) assert.match(JSON.stringify(configuration), asked);
});

test("image, namespace and replicas are as told; several replicas have a disruption budget", () => {
  const { manager, namespace } = operatorManifests(barOperator, { image: "registry/bars:1.2.3", namespace: "ops", replicas: 2 });
  assert.deepEqual(idsOf([...namespace, ...manager]), ["Namespace ops", "Deployment ops/bars", "PodDisruptionBudget ops/bars"]);
  const deployment = manager.find((each): each is Deployment => each.kind === "Deployment");
  assert.deepEqual([deployment?.spec?.replicas, deployment?.spec?.template.spec?.containers[0]?.image], [2, "registry/bars:1.2.3"]);
});

test("the environment of the operator is its own besides where it runs; a name that is taken is refused", () => {
  const envOf = (...env: readonly EnvVar[]): readonly EnvVar[] => {
    const { manager } = operatorManifests(barOperator, { env });
    const deployment = manager.find((each): each is Deployment => each.kind === "Deployment");
    return deployment?.spec?.template.spec?.containers[0]?.env ?? [];
  };
  const own = { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } };
  const url = { name: "REGISTRAR_URL", value: "https://registrar.example.com" };
  const token = { name: "REGISTRAR_TOKEN", valueFrom: { secretKeyRef: { name: "registrar", key: "token" } } };
  const region = { name: "REGION", valueFrom: { configMapKeyRef: { name: "site", key: "region" } } };
  assert.deepEqual(envOf(), [own]);
  assert.deepEqual(envOf(url, token, region), [own, url, token, region]);
  assert.throws(() => envOf(own), new TypeError("env: POD_NAMESPACE is set by the manifests themselves"));
  assert.throws(() => envOf(url, url), new TypeError("env: REGISTRAR_URL is there twice"));
  assert.throws(() => envOf({ name: "9 LIVES", value: "" }), new TypeError('env: "9 LIVES" is not the name of a variable'));
});

test("a volume that the manifests have themselves is refused, and its name is free where they have none", () => {
  const pod = { volumes: [{ name: "certificates", emptyDir: {} }] };
  const options = { certificates: "cert-manager", pod } as const;
  assert.throws(
    () => operatorManifests(calledOperator, options),
    new TypeError("pod.volumes: certificates is there already, with the certificates of webhooks"),
  );
  assert.match(JSON.stringify(operatorManifests(barOperator, options).manager), /"volumes":\[\{"name":"certificates","emptyDir":\{\}\}\]/);
});

test("metrics that are not shown to all have a role for accounts that may read them, and the operator may ask which those are", () => {
  const { rbac, manager } = operatorManifests(barOperator, { metricsAuth: true });
  assert.ok(idsOf(rbac).includes("ClusterRole bars-metrics-reader"));
  assert.deepEqual(rulesOf(barOperator, "ClusterRole", "bars", { metricsAuth: true }).slice(-2), [
    "create authentication.k8s.io/tokenreviews",
    "create authorization.k8s.io/subjectaccessreviews",
  ]);
  assert.match(JSON.stringify(manager), /"--metrics-auth"/);
});

test("an operator whose Services no server would take is refused, with the reason", () => {
  for (const [name, reason] of [
    ["a".repeat(56), /must be no more than 63 characters$/],
    ["3bars", /since Services are called 3bars-webhook and the like: a DNS-1035 label must .*start with an alphabetic character/],
  ] as const) {
    assert.throws(() => operatorManifests(defineOperator({ ...barOperator, name })), { name: "TypeError", message: reason });
  }
  assert.ok(operatorManifests(defineOperator({ ...barOperator, name: "a".repeat(55) })));
});

test("the same operator gives the same manifests", () => {
  assert.deepEqual(operatorManifests(calledOperator), operatorManifests(calledOperator));
});
