import { controllerOf } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import { computedIndex } from "@kaji/informer";
import type { Index } from "@kaji/informer";
import { ReplicaSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";

/** Pods without a controller, by namespace: those that a controller may adopt. */
export const strayPods: Index<Pod> = strays(Pod);

/** ReplicaSets without a controller, by namespace. */
export const strayReplicaSets: Index<ReplicaSet> = strays(ReplicaSet);

function strays<T extends KubeObject>(resource: Resource<T>): Index<T> {
  return computedIndex(resource, (object) => {
    const { metadata } = object as KubeObject;
    return controllerOf({ metadata }) === undefined ? [metadata.namespace ?? ""] : [];
  });
}
