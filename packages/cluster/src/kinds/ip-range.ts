import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { maskedPrefix, prefixContains } from "@kaji/core/go";
import type { IpPrefix } from "@kaji/core/go";
import { ipErrors, parseIp } from "./ip-address.ts";
import type { WrittenIp } from "./ip-address.ts";

/** A range of addresses: those that agree with one in its leading bits. */
export interface IpRange {
  readonly address: WrittenIp;
  readonly prefixLength: number;
}

/** Reads a range such as `10.9.8.0/24`; undefined when it is none. */
export function parseRange(text: string): IpRange | undefined {
  const [ip = "", length = "", ...rest] = text.split("/");
  const address = parseIp(ip);
  const most = address?.family === "IPv4" && !address.isMapped ? 32 : 128;
  if (address === undefined || rest.length > 0 || !/^\d+$/.test(length) || Number(length) > most) return undefined;
  return { address, prefixLength: Number(length) };
}

/** Whether a range lies within another and is smaller. */
export function isStrictlyWithin(inner: IpRange, outer: IpRange): boolean {
  return prefixContains(prefixOf(outer), inner.address.ip) && inner.prefixLength > outer.prefixLength;
}

/** What is wrong with a range of addresses, such as `10.9.8.0/24`; one that the object had before is left alone. */
export function cidrErrors(path: FieldPath, text: string, before: readonly string[] = []): readonly FieldError[] {
  if (before.includes(text)) return [];
  const range = parseRange(text);
  if (range === undefined) return [invalidValue(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  const { address } = range;
  if (address.hasLeadingZeros || /\/0\d/.test(text)) return [invalidValue(path, text, "must not have leading 0s in IP or prefix length")];
  if (address.isMapped) return [invalidValue(path, text, "must not have an IPv4-mapped IPv6 address")];
  const hasFreeBits = maskedPrefix(prefixOf(range)).address.bits !== address.ip.bits;
  return hasFreeBits ? [invalidValue(path, text, "must not have bits set beyond the prefix length")] : [];
}

/** What is wrong with an address that must be written as RFC 5952 has it. */
export function canonicalIpErrors(path: FieldPath, text: string): readonly FieldError[] {
  const errors = ipErrors(path, text);
  const canonical = parseIp(text)?.canonical;
  return errors.length > 0 || canonical === text ? errors : [notCanonical(path, text, canonical)];
}

/** What is wrong with a range that must be written as RFC 5952 has it. */
export function canonicalRangeErrors(path: FieldPath, text: string): readonly FieldError[] {
  const errors = cidrErrors(path, text);
  const range = parseRange(text);
  const canonical = `${range?.address.canonical}/${range?.prefixLength}`;
  return errors.length > 0 || canonical === text ? errors : [notCanonical(path, text, canonical)];
}

function prefixOf({ address, prefixLength }: IpRange): IpPrefix {
  return { address: address.ip, length: prefixLength };
}

function notCanonical(path: FieldPath, text: string, canonical: string | undefined): FieldError {
  return invalidValue(path, text, `must be in canonical form ("${canonical}")`);
}
