/**
 * Where a process of a pod is reached from this machine. Pods keep the addresses that they would have in a cluster, since endpoints may not be on loopback; behind
 * each is one on loopback of the same number, and behind those of nodes this machine. Only Linux has all of 127.0.0.0/8 without being told; elsewhere there is
 * one address for all.
 */
export function loopbackAddress(address: string, platform: NodeJS.Platform = process.platform): string {
  if (nodeNetwork.test(address)) return "127.0.0.1";
  if (!podNetworks.test(address)) return address;
  return platform === "linux" ? address.replace(/^10\./, "127.") : "127.0.0.1";
}

/** The networks that `AddressPool` gives addresses of. */
const podNetworks = /^10\.2(?:4[4-9]|5\d)\./;
const nodeNetwork = /^172\.18\./;
