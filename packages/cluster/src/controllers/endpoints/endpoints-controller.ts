import { isNamespaceEnding, objectKey, structuralEqual } from "@kaji/core";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Endpoints, Pod, Service } from "@kaji/types/core/v1";
import type { EndpointAddress, EndpointPort, EndpointSubset } from "@kaji/types/core/v1";
import { isPodReady } from "../pods/pod-state.ts";
import { podsByLabel } from "../pods/selected-pods.ts";
import { familyOf } from "./address-family.ts";
import { overCapacity, truncated, withinCapacity } from "./endpoints-capacity.ts";
import {
  endpointLabels,
  isHeadless,
  isMoved,
  podAddresses,
  podIdentity,
  portsBehind,
  selectsPods,
  servicePods,
  servicesOf,
} from "./service-pods.ts";

/** The label on the Endpoints that this controller manages. */
export const managedLabel = "endpoints.kubernetes.io/managed-by";

/** Keeps the Endpoints of each Service that selects pods. */
export const endpointsController: Controller = defineController(Service, {
  name: "endpoints-controller",
  predicates: [({ object }) => object !== undefined && selectsPods(object)],
  watches: [
    watch(Pod, { predicates: [isMoved], toKeys: servicesOf, indexes: [podsByLabel] }),
    watch(Endpoints, { verbs: ["create", "update"], toKeys: ({ metadata }) => [objectKey(metadata)] }),
  ],
  concurrency: 5,
  async reconcile(service, { cache, client }) {
    if (!selectsPods(service) || service.metadata.deletionTimestamp !== undefined) return;
    const { namespace = "", name } = service.metadata;
    const { subsets, isCut } = withinCapacity(subsetsOf(service, servicePods(service, cache)));
    const labels = { ...endpointLabels(service), [managedLabel]: "endpoint-controller" };
    const present = cache.get(Endpoints, { namespace, name });
    const { [overCapacity]: said, ...others } = present?.metadata.annotations ?? {};
    const annotations = isCut ? { ...others, [overCapacity]: truncated } : others;
    const marked = { labels, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
    const filled = subsets.length > 0 ? { subsets } : {};
    try {
      if (present === undefined) await client.create(Endpoints, { metadata: { namespace, name, ...marked }, ...filled });
      else if (
        !structuralEqual(present.subsets ?? [], subsets) ||
        !structuralEqual(present.metadata.labels, labels) ||
        isCut !== (said !== undefined)
      ) {
        const { subsets: _subsets, metadata, ...rest } = present;
        const { annotations: _annotations, ...kept } = metadata;
        await client.update(Endpoints, { ...rest, metadata: { ...kept, ...marked }, ...filled });
      }
    } catch (error) {
      if (!isNamespaceEnding(error)) throw error;
    }
  },
});

interface Entry {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

/** Groups addresses that have the same ports, and ports that have the same addresses. */
function subsetsOf(service: Service, pods: readonly Pod[]): readonly EndpointSubset[] {
  const { ports = [], publishNotReadyAddresses = false, ipFamilies = [] } = service.spec ?? {};
  const entriesOf = new Map<string, { readonly port: EndpointPort | undefined; readonly entries: Entry[] }>();
  for (const pod of pods) {
    if (!publishNotReadyAddresses && pod.metadata.deletionTimestamp !== undefined) continue;
    const ip = podAddresses(pod).find((each) => familyOf(each) === (ipFamilies[0] ?? "IPv4"));
    if (ip === undefined) continue;
    const address = { ip, ...podIdentity(pod, service) };
    for (const port of endpointPorts(service, pod, ports.length === 0 && isHeadless(service))) {
      const key = JSON.stringify(port ?? {});
      const group = entriesOf.get(key) ?? { port, entries: [] };
      group.entries.push({ address, isReady: publishNotReadyAddresses || isPodReady(pod) });
      entriesOf.set(key, group);
    }
  }
  const groups = Map.groupBy(entriesOf.values(), ({ entries }) => JSON.stringify(entries));
  return [...groups.values()].map((group): EndpointSubset => {
    const entries = (group[0]?.entries ?? []).toSorted((left, right) => (left.address.ip < right.address.ip ? -1 : 1));
    const ready = entries.filter(({ isReady }) => isReady).map(({ address }) => address);
    const waiting = entries.filter(({ isReady }) => !isReady).map(({ address }) => address);
    const shown = group.map(({ port }) => port).filter((port) => port !== undefined);
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(waiting.length === 0 ? {} : { notReadyAddresses: waiting }),
      ...(shown.length === 0 ? {} : { ports: shown }),
    };
  });
}

function endpointPorts(service: Service, pod: Pod, isPortless: boolean): readonly (EndpointPort | undefined)[] {
  if (isPortless) return [undefined];
  return portsBehind(service, pod).map(({ name, ...rest }) => (name === "" ? rest : { name, ...rest }));
}
