import type { KubeObject } from "@kaji/core";
import type { CustomResourceDefinition, ResourceDefinition } from "@kaji/core/define";
import type { OperatorDefinition } from "@kaji/runtime";
import { broughtResources } from "../brought-resources.ts";
import { managerDeployment } from "../manager-deployment.ts";
import { planOf } from "../manifest-options.ts";
import type { Plan } from "../manifest-options.ts";
import { operatorRules } from "../roles.ts";
import { apiServiceDefinitions } from "./api-service-definitions.ts";
import type { BundleOptions } from "./bundle-options.ts";
import { webhookDefinitions } from "./webhook-definitions.ts";
import { wordsOf } from "./words.ts";

/** Where the Operator Lifecycle Manager puts the certificate of webhooks. */
const certificateFolder = "/tmp/k8s-webhook-server/serving-certs";

/** The ClusterServiceVersion of an operator: all that the Operator Lifecycle Manager installs it from. */
export function clusterServiceVersion(operator: OperatorDefinition, options: BundleOptions): KubeObject & { readonly spec: object } {
  const { version, image = `${operator.name}:v${version}`, replaces, skips, icon, minKubeVersion = "1.30.0" } = options;
  const { displayName = wordsOf(operator.name), description = `Runs ${wordsOf(operator.name)}.`, provider = operator.name } = options;
  const { env, metricsAuth, replicas, resources, shards } = options;
  const plan = planOf(operator, { image, env, metricsAuth, replicas, resources, shards, certificates: "cert-manager" });
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: {
      name: versionName(operator.name, version),
      namespace: "placeholder",
      annotations: {
        "alm-examples": JSON.stringify(broughtResources(operator).flatMap(examples), undefined, 2),
        capabilities: "Basic Install",
        containerImage: image,
        description,
        "operatorframework.io/suggested-namespace": plan.namespace,
      },
    },
    spec: {
      displayName,
      description,
      version,
      ...(replaces === undefined ? {} : { replaces: versionName(operator.name, replaces) }),
      ...(skips === undefined ? {} : { skips: skips.map((each) => versionName(operator.name, each)) }),
      minKubeVersion,
      maturity: "alpha",
      provider: { name: provider },
      maintainers: options.maintainers ?? [],
      links: options.links ?? [],
      keywords: options.keywords ?? [operator.name],
      ...(icon === undefined ? {} : { icon: [icon] }),
      installModes: installModes(operator),
      install: { strategy: "deployment", spec: installation(plan) },
      customresourcedefinitions: { owned: broughtResources(operator).flatMap(ownedDefinitions) },
      ...(operator.webhooks.length + operator.conversions.length > 0 ? { webhookdefinitions: webhookDefinitions(plan) } : {}),
      ...(operator.apis.length > 0 ? { apiservicedefinitions: { owned: apiServiceDefinitions(plan) } } : {}),
      relatedImages: [{ name: "manager", image }],
    },
  };
}

/** What a version of an operator is called. */
function versionName(operator: string, version: string): string {
  return `${operator}.v${version}`;
}

/** Versions of resources are converted for the whole cluster; otherwise it is as fine with some namespaces. */
function installModes({ conversions }: OperatorDefinition): readonly { readonly type: string; readonly supported: boolean }[] {
  const some = conversions.length === 0;
  return [
    { type: "OwnNamespace", supported: some },
    { type: "SingleNamespace", supported: some },
    { type: "MultiNamespace", supported: some },
    { type: "AllNamespaces", supported: true },
  ];
}

function installation(plan: Plan): object {
  const { cluster, watched, named, own } = operatorRules(plan);
  const rulesFor = (rules: readonly object[]): readonly object[] => (rules.length === 0 ? [] : [{ serviceAccountName: plan.name, rules }]);
  const { spec } = managerDeployment(plan);
  const [container] = spec?.template.spec?.containers ?? [];
  // Which namespaces it looks after is told by an annotation; none means all.
  const namespaces = { name: "KAJI_NAMESPACES", valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } } };
  const { volumeMounts: _, args = [], env = [], ...rest } = container ?? { name: "manager" };
  const containers = [
    {
      ...rest,
      args: args.map((word) => (word.startsWith("--webhook-certificates=") ? `--webhook-certificates=${certificateFolder}` : word)),
      env: [...env, namespaces],
    },
  ];
  const { volumes: __, ...pod } = spec?.template.spec ?? {};
  const deployment = { ...spec, template: { ...spec?.template, spec: { ...pod, containers } } };
  return {
    // There are no roles but in the namespaces that it looks after, and in the whole cluster.
    clusterPermissions: rulesFor([...cluster, ...[...named.values()].flat()]),
    permissions: rulesFor([...watched, ...own]),
    deployments: [{ name: plan.name, label: plan.podLabels, spec: deployment }],
  };
}

function ownedDefinitions(resource: ResourceDefinition): readonly object[] {
  const crd = resource.crd();
  return crd.spec.versions
    .filter(({ served }) => served)
    .map(({ name, schema }) => ({
      name: crd.metadata.name,
      version: name,
      kind: crd.spec.names.kind,
      displayName: wordsOf(crd.spec.names.kind),
      description: schema.openAPIV3Schema.description ?? `A ${wordsOf(crd.spec.names.kind)}.`,
      ...descriptors("specDescriptors", schema.openAPIV3Schema.properties?.["spec"]),
      ...descriptors("statusDescriptors", schema.openAPIV3Schema.properties?.["status"]),
    }));
}

type Schema = CustomResourceDefinition["spec"]["versions"][number]["schema"]["openAPIV3Schema"];

/** The fields that have a description, for forms. */
function descriptors(name: string, schema: Schema | undefined): object {
  const fields = Object.entries(schema?.properties ?? {}).flatMap(([path, { description }]) =>
    description === undefined ? [] : [{ path, displayName: wordsOf(path), description }],
  );
  return fields.length === 0 ? {} : { [name]: fields };
}

/** An object of each version that is served. */
function examples(resource: ResourceDefinition): readonly KubeObject[] {
  const served = resource.crd().spec.versions.filter((each) => each.served);
  return served.flatMap(({ name }) => resource.versions[name]?.sample() ?? []);
}
