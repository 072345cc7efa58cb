import type { KubeObject } from "@kaji/core";
import type { OperatorManifests } from "./operator-manifests.ts";
import { yamlDocument, yamlStream } from "./yaml-stream.ts";

/** Texts by their paths in a folder. */
export type ManifestFiles = ReadonlyMap<string, string>;

/** What is installed, in the order in which it is to be applied. */
const installed = ["crds", "namespace", "rbac", "network", "others", "manager", "webhooks"] as const;

/** Everything but the samples as one stream, for `kubectl apply -f`. */
export function plainManifest(manifests: OperatorManifests): string {
  return yamlStream(installed.flatMap((part) => manifests[part]));
}

/** A tree for `kubectl apply -k`: a base with a file for each part, and an overlay in which a team writes down what is different with them. */
export function kustomizeTree(manifests: OperatorManifests): ManifestFiles {
  const parts = installed.filter((part) => manifests[part].length > 0);
  const files = new Map(parts.map((part) => [`base/${part}.yaml`, yamlStream(manifests[part])]));
  files.set("base/kustomization.yaml", kustomization({ resources: parts.map((part) => `${part}.yaml`) }));
  files.set("overlays/default/kustomization.yaml", kustomization({ resources: ["../../base"] }));
  return withSamples(files, manifests);
}

/** Adds an example of each resource to a folder. */
export function withSamples(files: ManifestFiles, { samples }: OperatorManifests): ManifestFiles {
  return new Map([...files, ...samples.map((sample) => [`samples/${sampleName(sample, samples)}.yaml`, yamlDocument(sample)] as const)]);
}

/** The kind, and only where two groups have one of that name the group too. */
function sampleName({ apiVersion, kind }: KubeObject, all: readonly KubeObject[]): string {
  const isAlone = all.filter((each) => each.kind === kind).length === 1;
  return (isAlone ? kind : `${kind}.${apiVersion.split("/", 1)[0]}`).toLowerCase();
}

function kustomization(content: object): string {
  return yamlDocument({ apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...content });
}
