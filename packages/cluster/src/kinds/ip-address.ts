import { isIPv4, isIPv6 } from "node:net";
import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";

/** An IP address, however it was written. */
export interface IpAddress {
  readonly family: "IPv4" | "IPv6";
  /** As RFC 5952 writes it. */
  readonly canonical: string;
  /** Written as IPv6 though it is of IPv4: `::ffff:10.0.0.1`. */
  readonly isMapped: boolean;
  readonly hasLeadingZeros: boolean;
}

/** Reads an address; undefined when it is none. Zeros in front of a number do not make it octal. */
export function parseIp(text: string): IpAddress | undefined {
  const plain = text.replaceAll(/(?<=^|[.:])0+(?=\d+(\.|$))/g, "");
  const isDotted = /^[\d.]+$/.test(text);
  if (isDotted) {
    return isIPv4(plain) ? { family: "IPv4", canonical: plain, isMapped: false, hasLeadingZeros: plain !== text } : undefined;
  }
  if (text.includes("%") || !isIPv6(text)) return undefined;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return { family: "IPv6", canonical, isMapped: false, hasLeadingZeros: false };
  const [high, low] = [Number.parseInt(mapped[1] ?? "0", 16), Number.parseInt(mapped[2] ?? "0", 16)];
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return { family: "IPv4", canonical: dotted, isMapped: true, hasLeadingZeros: false };
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

/** What is wrong with a range of addresses, such as `10.9.8.0/24`. */
export function cidrErrors(path: FieldPath, text: string, before: readonly string[] = []): readonly FieldError[] {
  if (before.includes(text)) return [];
  const [ip = "", length = "", ...rest] = text.split("/");
  const address = parseIp(ip);
  const bits = Number(length);
  const most = address?.family === "IPv4" && !address.isMapped ? 32 : 128;
  if (address === undefined || rest.length > 0 || !/^\d+$/.test(length) || bits > most) {
    return [invalidValue(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  }
  if (address.hasLeadingZeros || /^0\d/.test(length)) return [invalidValue(path, text, "must not have leading 0s in IP or prefix length")];
  if (address.isMapped) return [invalidValue(path, text, "must not have an IPv4-mapped IPv6 address")];
  const beyond = bitsOf(address).slice(bits);
  return beyond.includes("1") ? [invalidValue(path, text, "must not have bits set beyond the prefix length")] : [];
}

/** The bits of an address, as a text of zeros and ones. */
export function bitsOf({ family, canonical }: IpAddress): string {
  if (family === "IPv4")
    return canonical
      .split(".")
      .map((part) => binary(Number(part), 8))
      .join("");
  const [head = "", tail] = canonical.split("::");
  const heads = head === "" ? [] : head.split(":");
  const tails = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - heads.length - tails.length }, () => "0");
  return [...heads, ...zeros, ...tails].map((part) => binary(Number.parseInt(part, 16), 16)).join("");
}

function binary(value: number, length: number): string {
  return value.toString(2).padStart(length, "0");
}
