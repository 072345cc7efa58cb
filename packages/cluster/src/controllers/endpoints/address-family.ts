import { isIPv6 } from "node:net";

/** The family of an address. */
export function familyOf(ip: string): "IPv4" | "IPv6" {
  return isIPv6(ip) ? "IPv6" : "IPv4";
}
