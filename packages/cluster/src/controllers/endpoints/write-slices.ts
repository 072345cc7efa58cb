import { isNamespaceEnding, structuralEqual } from "@kaji/core";
import type { Draft } from "@kaji/core";
import type { ContextOf, Watched } from "@kaji/runtime";
import type { Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { AddressType } from "@kaji/types/discovery/v1";
import { holds, planSlices } from "./slice-plan.ts";
import type { SliceContent } from "./slice-plan.ts";

/** The label that names the service of a slice. */
export const serviceNameLabel = "kubernetes.io/service-name";
/** The label that names the controller which manages a slice. */
export const managerLabel = "endpointslice.kubernetes.io/managed-by";

type SliceClient = ContextOf<Service, readonly [], readonly [Watched<EndpointSlice, "create" | "update" | "delete">]>["client"];

/** What the slices of one address type should be. */
export interface WantedSlices {
  readonly addressType: AddressType;
  readonly groups: readonly SliceContent[];
  /** No slice has more endpoints. */
  readonly mostEndpoints: number;
  /** What all of them have: labels, owners and, where they are given, annotations. */
  readonly metadata: Draft<EndpointSlice>["metadata"] & { readonly labels: Readonly<Record<string, string>> };
}

/** Makes slices hold what is wanted; in a namespace that ends, nothing new is made. */
export async function writeSlices(
  { addressType, groups, mostEndpoints, metadata }: WantedSlices,
  existing: readonly EndpointSlice[],
  client: Pick<SliceClient, "create" | "update" | "delete">,
): Promise<void> {
  const { creations, updates, deletions } = planSlices(groups, existing, mostEndpoints);
  for (const content of creations) {
    try {
      await client.create(EndpointSlice, { metadata, addressType, ...content });
    } catch (error) {
      if (!isNamespaceEnding(error)) throw error;
    }
  }
  for (const { slice, content } of updates) {
    const { annotations: present = {} } = slice.metadata;
    const { labels, annotations = present } = metadata;
    const isLabelled = structuralEqual(slice.metadata.labels, labels) && structuralEqual(present, annotations);
    if (isLabelled && holds(slice, content)) continue;
    await client.update(EndpointSlice, { ...slice, ...content, metadata: { ...slice.metadata, labels, annotations } });
  }
  for (const slice of deletions) await client.delete(EndpointSlice, slice);
}
