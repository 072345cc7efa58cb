import { bitsOf, cidrErrors, ipErrors, parseIp } from "./ip-address.ts";
import type { IpAddress } from "./ip-address.ts";
import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";

/** A range of addresses: those that agree with one in its leading bits. */
export interface IpRange {
  readonly address: IpAddress;
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
  const [innerBits, outerBits] = [bitsOf(inner.address), bitsOf(outer.address)];
  const agrees = innerBits.length === outerBits.length && innerBits.startsWith(outerBits.slice(0, outer.prefixLength));
  return agrees && inner.prefixLength > outer.prefixLength;
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

function notCanonical(path: FieldPath, text: string, canonical: string | undefined): FieldError {
  return invalidValue(path, text, `must be in canonical form ("${canonical}")`);
}
