import { compileSelector, controllerOf, objectKey } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import { defineController, owned, watch } from "@kaji/runtime";
import type { Controller, MappingReads } from "@kaji/runtime";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { byUid } from "../ownership/by-uid.ts";
import { strayReplicaSets } from "../ownership/stray-index.ts";
import { hasPodEnded } from "../pods/pod-state.ts";
import { reconcileDeployment } from "./reconcile-deployment.ts";

/** Brings the pods of each Deployment to its present template, step by step. */
export const deploymentController: Controller = defineController(Deployment, {
  name: "deployment-controller",
  owns: [owned(ReplicaSet, { applied: false, verbs: ["update"], indexes: [strayReplicaSets, byUid] })],
  watches: [
    watch(ReplicaSet, { toKeys: takersOf }),
    // Old pods must have ended before those of the next template begin, where the strategy says so.
    watch(Pod, { predicates: [({ object }) => object === undefined || hasPodEnded(object)], toKeys: deploymentOf }),
  ],
  concurrency: 5,
  reconcile: reconcileDeployment,
});

/** The Deployments that might take a ReplicaSet which nothing controls. */
function* takersOf(replicaSet: ReplicaSet, reads: MappingReads): Generator<ObjectKey> {
  const { namespace, labels } = replicaSet.metadata;
  if (namespace === undefined || controllerOf(replicaSet) !== undefined) return;
  for (const { metadata, spec } of reads.list(Deployment, { namespace })) {
    if (compileSelector(spec?.selector).matches(labels)) yield objectKey(metadata);
  }
}

function* deploymentOf(pod: Pod, reads: MappingReads): Generator<ObjectKey> {
  const parent = controllerOf(pod);
  if (parent?.kind !== "ReplicaSet") return;
  for (const replicaSet of reads.by(ReplicaSet, byUid, parent.uid)) {
    const owner = controllerOf(replicaSet);
    if (owner?.kind === "Deployment") yield objectKey({ namespace: pod.metadata.namespace, name: owner.name });
  }
}
