import { structuralEqual } from "@kaji/core";
import type { Endpoint, EndpointPort, EndpointSlice } from "@kaji/types/discovery/v1";

/** What is in a slice. */
export interface SliceContent {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** How the slices of one address type come to hold what is wanted. */
export interface SlicePlan {
  readonly creations: readonly SliceContent[];
  readonly updates: readonly { readonly slice: EndpointSlice; readonly content: SliceContent }[];
  readonly deletions: readonly EndpointSlice[];
}

/**
 * Puts endpoints into slices, one group of ports apart from the other. An endpoint stays where it is, so that few slices change; those that would become empty are used for
 * what needs a new one. Without any endpoint there is still one slice, which is empty.
 */
export function planSlices(wanted: readonly SliceContent[], existing: readonly EndpointSlice[], mostEndpoints: number): SlicePlan {
  const updates: SlicePlan["updates"][number][] = [];
  const creations: SliceContent[] = [];
  for (const group of wanted.filter(({ endpoints }) => endpoints.length > 0)) {
    const slices = existing.filter((slice) => isSamePorts(slice.ports ?? [], group.ports));
    const { kept, rest } = keepPlaces(group.endpoints, slices);
    for (const { slice, endpoints } of kept) {
      const content = { ports: group.ports, endpoints: [...endpoints, ...rest.splice(0, mostEndpoints - endpoints.length)] };
      if (content.endpoints.length > 0) updates.push({ slice, content });
    }
    while (rest.length > 0) creations.push({ ports: group.ports, endpoints: rest.splice(0, mostEndpoints) });
  }
  if (updates.length + creations.length === 0) creations.push({ ports: [], endpoints: [] });
  const unused = existing.filter((slice) => updates.every((update) => update.slice !== slice));
  const reused = unused
    .splice(0, creations.length)
    .map((slice, index) => ({ slice, content: creations[index] ?? { ports: [], endpoints: [] } }));
  return { updates: [...updates, ...reused], creations: creations.slice(reused.length), deletions: unused };
}

/** Whether a slice has exactly this content. */
export function holds(slice: EndpointSlice, { ports, endpoints }: SliceContent): boolean {
  return structuralEqual(slice.endpoints ?? [], endpoints) && isSamePorts(slice.ports ?? [], ports);
}

interface Kept {
  readonly kept: readonly { readonly slice: EndpointSlice; readonly endpoints: readonly Endpoint[] }[];
  /** The endpoints that no slice has yet. */
  readonly rest: Endpoint[];
}

function keepPlaces(endpoints: readonly Endpoint[], slices: readonly EndpointSlice[]): Kept {
  const remaining = new Map(endpoints.map((endpoint) => [identityOf(endpoint), endpoint]));
  const kept = slices.map((slice) => {
    const here: Endpoint[] = [];
    for (const endpoint of slice.endpoints ?? []) {
      const present = remaining.get(identityOf(endpoint));
      if (present !== undefined && remaining.delete(identityOf(endpoint))) here.push(present);
    }
    return { slice, endpoints: here };
  });
  return { kept, rest: [...remaining.values()] };
}

function identityOf({ addresses, targetRef }: Endpoint): string {
  return `${targetRef?.uid ?? ""} ${addresses[0] ?? ""}`;
}

function isSamePorts(left: readonly EndpointPort[], right: readonly EndpointPort[]): boolean {
  return structuralEqual(left.map(portText).toSorted(), right.map(portText).toSorted());
}

function portText({ name = "", protocol = "TCP", port, appProtocol = "" }: EndpointPort): string {
  return `${name} ${protocol} ${port ?? ""} ${appProtocol}`;
}
