import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Node, Pod, Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { AddressType, Endpoint, EndpointPort } from "@kaji/types/discovery/v1";
import { controllerReference } from "../ownership/controller-reference.ts";
import { isPodReady } from "../pods/pod-state.ts";
import { podsByLabel } from "../pods/selected-pods.ts";
import { familyOf } from "./address-family.ts";
import { slicesOf, watchSlices } from "./managed-slices.ts";
import { endpointLabels, isMoved, podAddresses, podIdentity, portsBehind, selectsPods, servicePods, servicesOf } from "./service-pods.ts";
import type { SliceContent } from "./slice-plan.ts";
import { managerLabel, serviceNameLabel, writeSlices } from "./write-slices.ts";

const manager = "endpointslice-controller.k8s.io";
const mostEndpoints = 100;
const families = ["IPv4", "IPv6"] as const;
const zoneLabel = "topology.kubernetes.io/zone";

/** Keeps the EndpointSlices of each Service that selects pods. */
export const endpointSliceController: Controller = defineController(Service, {
  name: "endpointslice-controller",
  predicates: [({ object }) => object !== undefined && selectsPods(object)],
  watches: [watch(Pod, { predicates: [isMoved], toKeys: servicesOf, indexes: [podsByLabel] }), watch(Node), watchSlices(manager)],
  concurrency: 5,
  async reconcile(service, { cache, client }) {
    if (!selectsPods(service) || service.metadata.deletionTimestamp !== undefined) return;
    const { namespace = "", name } = service.metadata;
    const own = slicesOf(service, manager, cache);
    const pods = servicePods(service, cache);
    const zoneOf = (node: string): string | undefined => cache.get(Node, { name: node })?.metadata.labels?.[zoneLabel];
    const metadata = {
      generateName: `${name}-`,
      namespace,
      labels: { ...endpointLabels(service), [serviceNameLabel]: name, [managerLabel]: manager },
      ownerReferences: [controllerReference(Service, service)],
    };
    const wanted = families.filter((family) => (service.spec?.ipFamilies ?? ["IPv4"]).includes(family));
    const dropped = own.filter(({ addressType }) => wanted.every((family) => family !== addressType));
    for (const slice of dropped) await client.delete(EndpointSlice, slice);
    for (const addressType of wanted) {
      const groups = groupsOf(service, pods, addressType, zoneOf);
      await writeSlices(
        { addressType, groups, mostEndpoints, metadata },
        own.filter((slice) => slice.addressType === addressType),
        client,
      );
    }
  },
});

/** The endpoints of the pods, those of pods with the same ports together. */
function groupsOf(
  service: Service,
  pods: readonly Pod[],
  addressType: AddressType,
  zoneOf: (node: string) => string | undefined,
): readonly SliceContent[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly endpoints: Endpoint[] }>();
  for (const pod of pods) {
    const addresses = podAddresses(pod).filter((ip) => familyOf(ip) === addressType);
    if (addresses.length === 0) continue;
    const ports = portsBehind(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(service, pod, addresses, zoneOf));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function endpointOf(service: Service, pod: Pod, addresses: readonly string[], zoneOf: (node: string) => string | undefined): Endpoint {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const identity = podIdentity(pod, service);
  const zone = identity.nodeName === undefined ? undefined : zoneOf(identity.nodeName);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...identity,
    ...(zone === undefined ? {} : { zone }),
  };
}
