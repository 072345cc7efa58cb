import { objectKey } from "@kaji/core";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Endpoints, Service } from "@kaji/types/core/v1";
import type { EndpointAddress, EndpointSubset } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { Endpoint, EndpointConditions } from "@kaji/types/discovery/v1";
import { controllerReference } from "../ownership/controller-reference.ts";
import { familyOf } from "./address-family.ts";
import { slicesOf, watchSlices } from "./managed-slices.ts";
import type { SliceContent } from "./slice-plan.ts";
import { managerLabel, serviceNameLabel, writeSlices } from "./write-slices.ts";

const manager = "endpointslicemirroring-controller.k8s.io";
/** Of each subset no more are mirrored, all of them in one slice. */
const mostEndpoints = 1000;
const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Keeps EndpointSlices for Endpoints that a user wrote, for a Service that selects no pods. */
export const endpointSliceMirroringController: Controller = defineController(Endpoints, {
  name: "endpointslice-mirroring-controller",
  watches: [watch(Service, { toKeys: ({ metadata }) => [objectKey(metadata)] }), watchSlices(manager)],
  concurrency: 5,
  async reconcile(endpoints, { cache, client, event }) {
    const { namespace = "", name } = endpoints.metadata;
    const own = slicesOf(endpoints, manager, cache);
    const service = cache.get(Service, { namespace, name });
    if (!isMirrored(endpoints) || service === undefined || service.spec?.selector !== undefined) {
      for (const slice of own) await client.delete(EndpointSlice, slice);
      return;
    }
    const labels = { ...endpoints.metadata.labels, [serviceNameLabel]: name, [managerLabel]: manager };
    const { [lastApplied]: _applied, ...annotations } = endpoints.metadata.annotations ?? {};
    const ownerReferences = [controllerReference(Endpoints, endpoints)];
    const metadata = { generateName: `${name}-`, namespace, labels, annotations, ownerReferences };
    const skipped = (endpoints.subsets ?? []).reduce((sum, subset) => sum + Math.max(0, addressesOf(subset).length - mostEndpoints), 0);
    if (skipped > 0) event("Warning", "TooManyAddressesToMirror", tooMany(skipped));
    for (const addressType of ["IPv4", "IPv6"] as const) {
      const existing = own.filter((slice) => slice.addressType === addressType);
      const groups = groupsOf(endpoints, addressType);
      if (groups.length > 0) await writeSlices({ addressType, groups, mostEndpoints, metadata }, existing, client);
      else for (const slice of existing) await client.delete(EndpointSlice, slice);
    }
  },
});

function isMirrored({ metadata }: Endpoints): boolean {
  const { deletionTimestamp, labels, annotations } = metadata;
  return deletionTimestamp === undefined && labels?.[skipLabel] !== "true" && annotations?.[leaderAnnotation] === undefined;
}

function tooMany(skipped: number): string {
  return `A max of ${mostEndpoints} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
}

function groupsOf({ subsets = [] }: Endpoints, family: "IPv4" | "IPv6"): readonly SliceContent[] {
  return subsets
    .map((subset) => ({
      ports: (subset.ports ?? []).map(({ name = "", protocol = "TCP", port, appProtocol }) => ({
        name,
        port,
        protocol,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      })),
      endpoints: addressesOf(subset)
        .slice(0, mostEndpoints)
        .filter(({ addresses: [ip = ""] }) => familyOf(ip) === family),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** All addresses of a subset, those that are ready first. */
function addressesOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset): readonly Endpoint[] {
  return [
    ...addresses.map((each) => mirrored(each, { ready: true })),
    ...notReadyAddresses.map((each) => mirrored(each, { ready: false })),
  ];
}

function mirrored({ ip, hostname, nodeName, targetRef }: EndpointAddress, conditions: EndpointConditions): Endpoint {
  return {
    addresses: [ip],
    conditions,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}
