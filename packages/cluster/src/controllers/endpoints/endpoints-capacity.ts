import type { EndpointAddress, EndpointSubset } from "@kaji/types/core/v1";

/** The annotation on Endpoints that do not have all addresses, and its value. */
export const overCapacity = "endpoints.kubernetes.io/over-capacity";
export const truncated = "truncated";

/** Endpoints have no more addresses. */
const mostAddresses = 1000;

/** Of each subset its share of the addresses that Endpoints may have. Those that are not ready are left out first. */
export function withinCapacity(subsets: readonly EndpointSubset[]): {
  readonly subsets: readonly EndpointSubset[];
  readonly isCut: boolean;
} {
  const ready = count(subsets, "addresses");
  const waiting = count(subsets, "notReadyAddresses");
  if (ready + waiting <= mostAddresses) return { subsets, isCut: false };
  const cuts = ready > mostAddresses ? "addresses" : "notReadyAddresses";
  const share = cuts === "addresses" ? mostAddresses / ready : (mostAddresses - ready) / waiting;
  let left = cuts === "addresses" ? mostAddresses : mostAddresses - ready;
  const shares = subsets.map((subset): EndpointSubset => {
    const { addresses = [], notReadyAddresses = [], ...rest } = subset;
    const size = Math.min(Math.ceil((subset[cuts]?.length ?? 0) * share), left);
    left -= size;
    return cuts === "addresses"
      ? { ...some("addresses", addresses.slice(0, size)), ...rest }
      : { ...some("addresses", addresses), ...some("notReadyAddresses", notReadyAddresses.slice(0, size)), ...rest };
  });
  return {
    subsets: shares.filter(({ addresses, notReadyAddresses }) => addresses !== undefined || notReadyAddresses !== undefined),
    isCut: true,
  };
}

function count(subsets: readonly EndpointSubset[], field: "addresses" | "notReadyAddresses"): number {
  return subsets.reduce((sum, subset) => sum + (subset[field]?.length ?? 0), 0);
}

function some(field: "addresses" | "notReadyAddresses", addresses: readonly EndpointAddress[]): EndpointSubset {
  return addresses.length === 0 ? {} : { [field]: addresses };
}
