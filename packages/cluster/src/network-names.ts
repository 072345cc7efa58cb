import { isIPv4 } from "node:net";
import { hostname, networkInterfaces } from "node:os";

/** For documentation: stands for a machine without a network. https://www.rfc-editor.org/rfc/rfc5737 */
const nobodysAddress = "192.0.2.1";

/** By which names and addresses clients reach a server that listens on a host. All of the machine's, if it listens on all. */
export function servingNames(host: string): readonly string[] {
  return isWildcard(host) ? [hostname(), ...ownAddresses()] : [host];
}

/** What a client on the same machine writes for a server's URL. */
export function reachableUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** What the endpoints of the Service `kubernetes` say: an address of the machine, as loopback is not allowed there. */
export function advertisedAddress(host: string): string {
  if (isIPv4(host) && !isWildcard(host) && !isLoopback(host)) return host;
  return ownAddresses().find((address) => isIPv4(address) && !isLoopback(address)) ?? nobodysAddress;
}

function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address));
  return addresses.filter((address) => !address.startsWith("fe80:"));
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
