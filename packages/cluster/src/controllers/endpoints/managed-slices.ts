import { controllerOf } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { labelIndex } from "@kaji/informer";
import { watch } from "@kaji/runtime";
import type { CacheReads, Watched } from "@kaji/runtime";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import { managerLabel, serviceNameLabel } from "./write-slices.ts";

const byService = labelIndex(serviceNameLabel);

/** Watches the EndpointSlices of one manager: a change of one leads to the object that has the name of its service. */
export function watchSlices(manager: string): Watched<EndpointSlice, "create" | "update" | "delete"> {
  return watch(EndpointSlice, {
    verbs: ["create", "update", "delete"],
    indexes: [byService],
    predicates: [({ object, previous }) => (object ?? previous)?.metadata.labels?.[managerLabel] === manager],
    toKeys: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ""}`],
  });
}

/** The EndpointSlices that a manager keeps for their controlling owner, which has the name of the service. */
export function slicesOf({ metadata }: KubeObject, manager: string, cache: CacheReads<EndpointSlice>): readonly EndpointSlice[] {
  const slices: readonly EndpointSlice[] = [...cache.by(EndpointSlice, byService, metadata.name)];
  return slices.filter(
    (slice) =>
      slice.metadata.namespace === metadata.namespace &&
      slice.metadata.labels?.[managerLabel] === manager &&
      controllerOf(slice)?.uid === metadata.uid,
  );
}
