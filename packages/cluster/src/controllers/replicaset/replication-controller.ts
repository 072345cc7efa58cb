import type { LabelSelector } from "@kaji/core";
import { defineController, owned, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Pod, ReplicationController } from "@kaji/types/core/v1";
import { strayPods } from "../ownership/stray-index.ts";
import { takersOf } from "../pods/pod-ownership.ts";
import { isCountedOtherwise } from "../pods/pod-state.ts";
import { reconcileReplicas } from "./reconcile-replicas.ts";

/** Keeps as many pods as each ReplicationController wants. */
export const replicationController: Controller = defineController(ReplicationController, {
  name: "replicationcontroller-controller",
  owns: [owned(Pod, { applied: false, indexes: [strayPods], predicates: [isCountedOtherwise] })],
  watches: [watch(Pod, { toKeys: (pod, reads) => takersOf(pod, reads, ReplicationController, selectorOf) })],
  concurrency: 5,
  reconcile: (owner, context) =>
    reconcileReplicas(
      {
        resource: ReplicationController,
        object: owner,
        selector: selectorOf(owner),
        countsTerminating: false,
        relatedPods: () => context.cache.owned(Pod),
        fresh: () => context.live.get(ReplicationController, owner.metadata),
        updateStatus: (status) => context.client.updateStatus(ReplicationController, { ...owner, status }),
      },
      context,
    ),
});

function selectorOf({ spec }: ReplicationController): LabelSelector | undefined {
  return spec?.selector === undefined ? undefined : { matchLabels: spec.selector };
}
