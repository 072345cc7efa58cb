import { isIP } from "node:net";

/** The host of a URL as sockets want it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The name that a TLS client asks for before it is shown a certificate, so that one address can serve many hosts. Node does not take it from the host by
 * itself. Addresses are no names there: https://www.rfc-editor.org/rfc/rfc6066#section-3
 */
export function namedHost(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}
