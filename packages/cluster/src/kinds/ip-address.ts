import { ParseError, invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { formatIpAddress, isMapped, parseIpAddress } from "@kaji/core/go";
import type { IpAddress } from "@kaji/core/go";

/** An IP address as it is written in an object, where Kubernetes reads more forms than it allows in new objects. */
export interface WrittenIp {
  /** Of IPv4, too, if it is written as IPv6. */
  readonly ip: IpAddress;
  readonly family: "IPv4" | "IPv6";
  /** As RFC 5952 writes it. */
  readonly canonical: string;
  /** Written as IPv6 though it is of IPv4: `::ffff:10.0.0.1`. */
  readonly isMapped: boolean;
  readonly hasLeadingZeros: boolean;
}

/** Reads an address; undefined when it is none. Zeros in front of a number do not make it octal. */
export function parseIp(text: string): WrittenIp | undefined {
  const plain = /^[\d.]+$/.test(text) ? text.replaceAll(/(?<=^|\.)0+(?=\d)/g, "") : text;
  const read = addressOf(plain);
  if (read === undefined || read.zone !== "") return undefined;
  const ip: IpAddress = isMapped(read) ? { ...read, family: 4, bits: BigInt.asUintN(32, read.bits) } : read;
  return {
    ip,
    family: ip.family === 4 ? "IPv4" : "IPv6",
    canonical: formatIpAddress(ip),
    isMapped: ip !== read,
    hasLeadingZeros: plain !== text,
  };
}

function addressOf(text: string): IpAddress | undefined {
  try {
    return parseIpAddress(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** What is wrong with an address; one that the object had before is left alone. */
export function ipErrors(path: FieldPath, text: string, before: readonly string[] = []): readonly FieldError[] {
  if (before.includes(text)) return [];
  const address = parseIp(text);
  if (address === undefined) return [invalidValue(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
  return [
    ...(address.hasLeadingZeros ? [invalidValue(path, text, "must not have leading 0s")] : []),
    ...(address.isMapped ? [invalidValue(path, text, "must not be an IPv4-mapped IPv6 address")] : []),
  ];
}

/** What is wrong with an address to which traffic is to go. */
export function endpointIpErrors(text: string, path: FieldPath): readonly FieldError[] {
  const address = parseIp(text)?.canonical;
  if (address === undefined) return [invalidValue(path, text, "must be a valid IP address")];
  const problems: string[] = [];
  if (address === "0.0.0.0" || address === "::") problems.push(`may not be unspecified (${text})`);
  if (address.startsWith("127.") || address === "::1") problems.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (address.startsWith("169.254.") || /^fe[89ab]/.test(address)) {
    problems.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (address.startsWith("224.0.0.") || /^ff.2:/.test(address)) {
    problems.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return problems.map((problem) => invalidValue(path, text, problem));
}
