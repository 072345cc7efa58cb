import type { KubeObject } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import { broughtResources } from "../brought-resources.ts";
import type { ManifestFiles } from "../manifest-files.ts";
import { operatorManifests } from "../operator-manifests.ts";
import { yamlDocument } from "../yaml-stream.ts";
import type { BundleOptions } from "./bundle-options.ts";
import { clusterServiceVersion } from "./cluster-service-version.ts";
import { isSemver } from "./semver.ts";

/** The operator as a bundle of the form registry+v1, for the Operator Lifecycle Manager, and a Dockerfile that makes an image of it. */
export function olmBundle(operator: OperatorDefinition, options: BundleOptions): ManifestFiles {
  const channels = [...new Set(options.channels ?? ["stable"])];
  requireVersions(options);
  const annotations = {
    "operators.operatorframework.io.bundle.mediatype.v1": "registry+v1",
    "operators.operatorframework.io.bundle.manifests.v1": "manifests/",
    "operators.operatorframework.io.bundle.metadata.v1": "metadata/",
    "operators.operatorframework.io.bundle.package.v1": operator.name,
    "operators.operatorframework.io.bundle.channels.v1": channels.join(","),
    "operators.operatorframework.io.bundle.channel.default.v1": channels[0] ?? "stable",
    "operators.operatorframework.io.test.mediatype.v1": "scorecard+v1",
    "operators.operatorframework.io.test.config.v1": "tests/scorecard/",
  };
  const { rbac, manager } = operatorManifests(operator, { metricsAuth: options.metricsAuth, replicas: options.replicas });
  const userRoles = rbac.filter(({ kind, metadata }) => kind === "ClusterRole" && metadata.name !== operator.name);
  const budgets = manager.filter(({ kind }) => kind === "PodDisruptionBudget");
  return new Map([
    [`manifests/${operator.name}.clusterserviceversion.yaml`, yamlDocument(clusterServiceVersion(operator, options))],
    ...broughtResources(operator).map((resource) => {
      const crd = resource.crd();
      return [`manifests/${crd.spec.group}_${crd.spec.names.plural}.yaml`, yamlDocument(crd)] as const;
    }),
    ...userRoles.map((role) => [`manifests/${role.metadata.name}.clusterrole.yaml`, yamlDocument(role)] as const),
    ...budgets.map(
      (budget) => [`manifests/${budget.metadata.name}.poddisruptionbudget.yaml`, yamlDocument(inNoNamespace(budget))] as const,
    ),
    ["metadata/annotations.yaml", yamlDocument({ annotations })],
    ["tests/scorecard/config.yaml", yamlDocument(scorecard)],
    ["Dockerfile", dockerfile(annotations)],
  ]);
}

function requireVersions({ version, replaces, skips = [] }: BundleOptions): void {
  const named = { version: [version], replaces: replaces === undefined ? [] : [replaces], skips };
  for (const [field, versions] of Object.entries(named)) {
    const bad = versions.find((each) => !isSemver(each));
    if (bad !== undefined) throw new TypeError(`${field}: ${JSON.stringify(bad)} is not a version such as 1.2.3`);
  }
  if ([...named.replaces, ...skips].includes(version))
    throw new TypeError(`${version} cannot be an upgrade of itself; see replaces and skips`);
}

/** The object for whatever namespace the bundle is installed in. */
function inNoNamespace({ metadata: { namespace: _, ...metadata }, ...rest }: KubeObject): KubeObject {
  return { ...rest, metadata };
}

const scorecardTests = [
  ["basic", "basic-check-spec"],
  ["olm", "olm-bundle-validation"],
  ["olm", "olm-crds-have-validation"],
  ["olm", "olm-spec-descriptors"],
  ["olm", "olm-status-descriptors"],
] as const;

const scorecard = {
  apiVersion: "scorecard.operatorframework.io/v1alpha3",
  kind: "Configuration",
  metadata: { name: "config" },
  stages: [
    {
      parallel: true,
      tests: scorecardTests.map(([suite, test]) => ({
        entrypoint: ["scorecard-test", test],
        image: "quay.io/operator-framework/scorecard-test:v1.42.0",
        labels: { suite, test: `${test}-test` },
      })),
    },
  ],
};

function dockerfile(annotations: Readonly<Record<string, string>>): string {
  const labels = Object.entries(annotations).map(
    ([name, value]) => `LABEL ${name}=${value.includes(" ") ? JSON.stringify(value) : value}\n`,
  );
  const copies = ["manifests", "metadata", "tests/scorecard"].map((folder) => `COPY ${folder} /${folder}/\n`);
  return `FROM scratch\n\n${labels.join("")}\n${copies.join("")}`;
}
