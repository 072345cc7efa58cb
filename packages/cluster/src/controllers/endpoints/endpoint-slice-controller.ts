import { controllerOf } from "@kaji/core";
import { labelIndex } from "@kaji/informer";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Node, Pod, Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { AddressType, Endpoint, EndpointPort } from "@kaji/types/discovery/v1";
import { controllerReference } from "../ownership/controller-reference.ts";
import { isPodReady } from "../pods/pod-state.ts";
import { familyOf } from "./address-family.ts";
import {
  headlessLabel,
  hostnameFor,
  isHeadless,
  isMoved,
  podAddresses,
  podPort,
  referenceTo,
  selectsPods,
  servicePods,
  servicesOf,
} from "./service-pods.ts";
import type { SliceContent } from "./slice-plan.ts";
import { managerLabel, serviceNameLabel, writeSlices } from "./write-slices.ts";

const manager = "endpointslice-controller.k8s.io";
const families = ["IPv4", "IPv6"] as const;
const zoneLabel = "topology.kubernetes.io/zone";
const byService = labelIndex(serviceNameLabel);

/** Keeps the EndpointSlices of each Service that selects pods. */
export const endpointSliceController: Controller = defineController(Service, {
  name: "endpointslice-controller",
  watches: [
    watch(Pod, { predicates: [isMoved], toKeys: servicesOf }),
    watch(Node),
    watch(EndpointSlice, {
      verbs: ["create", "update", "delete"],
      indexes: [byService],
      predicates: [({ object, previous }) => (object ?? previous)?.metadata.labels?.[managerLabel] === manager],
      toKeys: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ""}`],
    }),
  ],
  concurrency: 5,
  async reconcile(service, { cache, client }) {
    if (!selectsPods(service) || service.metadata.deletionTimestamp !== undefined) return;
    const { namespace = "", name, uid } = service.metadata;
    const slices: readonly EndpointSlice[] = [...cache.by(EndpointSlice, byService, name)];
    const own = slices.filter(
      (slice) =>
        slice.metadata.namespace === namespace && slice.metadata.labels?.[managerLabel] === manager && controllerOf(slice)?.uid === uid,
    );
    const pods = servicePods(service, cache);
    const zoneOf = (node: string): string | undefined => cache.get(Node, { name: node })?.metadata.labels?.[zoneLabel];
    const metadata = {
      generateName: `${name}-`,
      namespace,
      labels: labelsOf(service),
      ownerReferences: [controllerReference(Service, service)],
    };
    for (const addressType of families.filter((family) => (service.spec?.ipFamilies ?? ["IPv4"]).includes(family))) {
      const groups = groupsOf(service, pods, addressType, zoneOf);
      await writeSlices(
        { addressType, groups, metadata },
        own.filter((slice) => slice.addressType === addressType),
        client,
      );
    }
  },
});

/** Those of the service, but for the labels that mean something of their own. */
function labelsOf(service: Service): Readonly<Record<string, string>> {
  const { [headlessLabel]: _headless, [serviceNameLabel]: _name, [managerLabel]: _manager, ...others } = service.metadata.labels ?? {};
  return {
    ...others,
    ...(isHeadless(service) ? { [headlessLabel]: "" } : {}),
    [serviceNameLabel]: service.metadata.name,
    [managerLabel]: manager,
  };
}

/** Pods that have the same ports together. */
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
    const ports = portsOf(service, pod);
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
  const nodeName = pod.spec?.nodeName;
  const zone = nodeName === undefined ? undefined : zoneOf(nodeName);
  const hostname = hostnameFor(pod, service);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: referenceTo(pod),
    ...(zone === undefined ? {} : { zone }),
  };
}

function portsOf({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort): readonly EndpointPort[] => {
    const port = podPort(pod, servicePort);
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return port === undefined ? [] : [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}
