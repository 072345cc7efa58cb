import { compileSelector, controllerOf } from "@kaji/core";
import type { LabelSelector } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import { defineController, owned, watch } from "@kaji/runtime";
import type { CacheReads, Controller } from "@kaji/runtime";
import { ReplicaSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { strayPods } from "../ownership/stray-index.ts";
import { takersOf } from "../pods/pod-ownership.ts";
import { isCountedOtherwise } from "../pods/pod-state.ts";
import { podsByLabel, selectedPods } from "../pods/selected-pods.ts";
import { reconcileReplicas } from "./reconcile-replicas.ts";

/** Keeps as many pods as each ReplicaSet wants. */
export const replicaSetController: Controller = defineController(ReplicaSet, {
  name: "replicaset-controller",
  owns: [owned(Pod, { applied: false, indexes: [strayPods, podsByLabel], predicates: [isCountedOtherwise] })],
  watches: [watch(Pod, { toKeys: (pod, reads) => takersOf(pod, reads, ReplicaSet, selectorOf) })],
  concurrency: 5,
  reconcile: (replicaSet, context) =>
    reconcileReplicas(
      {
        resource: ReplicaSet,
        object: replicaSet,
        selector: selectorOf(replicaSet),
        countsTerminating: true,
        relatedPods: () => siblingPods(replicaSet, context.cache),
        fresh: () => context.live.get(ReplicaSet, replicaSet.metadata),
        updateStatus: (status) => context.client.updateStatus(ReplicaSet, { ...replicaSet, status }),
      },
      context,
    ),
});

function selectorOf({ spec }: ReplicaSet): LabelSelector | undefined {
  return spec?.selector;
}

/** The pods of all ReplicaSets with the same controller: each stands for the same work, whichever revision it is of. */
function* siblingPods(replicaSet: ReplicaSet, cache: CacheReads<ReplicaSet | Pod>): Generator<Pod> {
  const controller = controllerOf(replicaSet);
  const siblings: Iterable<ReplicaSet> = controller === undefined ? [replicaSet] : cache.by(ReplicaSet, byOwner, controller.uid);
  const seen = new Set<string>();
  for (const { metadata, spec } of siblings) {
    for (const pod of selectedPods(cache, metadata.namespace ?? "", compileSelector(spec?.selector))) {
      const { uid = "" } = pod.metadata;
      if (!seen.has(uid)) yield pod;
      seen.add(uid);
    }
  }
}
