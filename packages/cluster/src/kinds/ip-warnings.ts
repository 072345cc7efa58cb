import type { FieldPath } from "@kaji/core";
import { parseIp } from "./ip-address.ts";

/** What the author of an address should know that is right but written oddly. */
export function ipWarnings(path: FieldPath, text: string): readonly string[] {
  const address = parseIp(text);
  if (address?.family !== "IPv6" || address.canonical === text) return [];
  return [`${path}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(address.canonical)})`];
}

/** What the author of a range of addresses should know that is right but written oddly. */
export function cidrWarnings(path: FieldPath, text: string): readonly string[] {
  const [ip = "", length = ""] = text.split("/");
  const address = parseIp(ip);
  if (address?.family !== "IPv6" || address.canonical === ip) return [];
  const canonical = `${address.canonical}/${length}`;
  return [`${path}: IPv6 CIDR value ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`];
}
