import type { Draft, LabelSelector } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import type { ReplicaSet } from "@kaji/types/apps/v1";
import { controllerReference } from "../ownership/controller-reference.ts";
import { hashLabel, podTemplateHash } from "./pod-template-hash.ts";
import { nextRevision, withRevision, withSizes } from "./revision-annotations.ts";
import { sumOf } from "./revisions.ts";
import { newReplicas } from "./rolling-update.ts";
import type { RolloutSpec } from "./rollout-spec.ts";

/** What is too long for a name. */
const nameChars = 253;

/** The ReplicaSet that a Deployment's present template gets beside the old ones. */
export function newReplicaSet(deployment: Deployment, spec: RolloutSpec, old: readonly ReplicaSet[]): Draft<ReplicaSet> {
  const { metadata } = deployment;
  const hash = podTemplateHash(spec.template, deployment.status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  const annotations = withSizes(withRevision({}, metadata, nextRevision(old)), spec);
  return {
    metadata: {
      name: `${metadata.name.slice(0, nameChars - hash.length - 1)}-${hash}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
      annotations,
      ownerReferences: [controllerReference(Deployment, deployment)],
    },
    spec: {
      replicas: newReplicas(spec, sumOf(old), 0),
      ...(spec.minReadySeconds === 0 ? {} : { minReadySeconds: spec.minReadySeconds }),
      selector: withHash(deployment.spec?.selector ?? {}, hash),
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

function withHash(selector: LabelSelector, hash: string): LabelSelector {
  return { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } };
}
