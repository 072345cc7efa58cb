import { quote } from "./go-quote.ts";
import { ParseError } from "../error/parse-error.ts";

/** An IPv4 or IPv6 address. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
  /** Empty unless the address is for one link only. */
  readonly zone: string;
}

/** A network: an address and how many of its bits count. */
export interface IpPrefix {
  readonly address: IpAddress;
  readonly length: number;
}

/** Reads an address as Go's `netip.ParseAddr` does; throws a `ParseError` in its words. */
export function parseIpAddress(text: string): IpAddress {
  const [separator] = /[.:%]/.exec(text) ?? [];
  if (separator === ".") return { family: 4, bits: parseIpv4(text, text), zone: "" };
  if (separator === ":") return parseIpv6(text);
  throw addressError(text, separator === "%" ? "missing IPv6 address" : "unable to parse IP");
}

/** Reads a network such as `10.0.0.0/8` as Go's `netip.ParsePrefix` does; throws a `ParseError` in its words. */
export function parseIpPrefix(text: string): IpPrefix {
  const fail = (problem: string): ParseError => new ParseError(`netip.ParsePrefix(${quote(text)}): ${problem}`);
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw fail("no '/'");
  const address = addressOf(text.slice(0, slash), fail);
  if (address.zone !== "") throw fail("IPv6 zones cannot be present in a prefix");
  const length = text.slice(slash + 1);
  if (length.length > 1 && !/^[1-9]/.test(length)) throw fail(`bad bits after slash: ${quote(length)}`);
  if (!/^\d+$/.test(length)) throw fail(`bad bits after slash: ${quote(length)}`);
  if (Number(length) > widthOf(address)) throw fail("prefix length out of range");
  return { address, length: Number(length) };
}

/** How many bits an address has. */
export function widthOf({ family }: IpAddress): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/** The canonical form. */
export function formatIpAddress({ family, bits }: IpAddress): string {
  if (family === 4) return groupsOf(bits, 4, 8).join(".");
  const groups = groupsOf(bits, 8, 16).map((group) => group.toString(16));
  const text = groups.join(":");
  const [longest] = (text.match(/\b0(?::0)+\b/g) ?? []).toSorted((left, right) => right.length - left.length);
  if (longest === undefined) return text;
  const at = text.search(new RegExp(`(?<![^:])${longest}(?![^:])`));
  return `${text.slice(0, at).replace(/:$/, "")}::${text.slice(at + longest.length).replace(/^:/, "")}`;
}

/** The network with all bits cleared that do not count. */
export function maskedPrefix({ address, length }: IpPrefix): IpPrefix {
  const free = BigInt(widthOf(address) - length);
  return { address: { ...address, bits: (address.bits >> free) << free }, length };
}

/** Whether an address is in a network; one of another family, or for one link only, is not. */
export function prefixContains({ address, length }: IpPrefix, other: IpAddress): boolean {
  if (address.family !== other.family || other.zone !== "") return false;
  const free = BigInt(widthOf(address) - length);
  return address.bits >> free === other.bits >> free;
}

/** Whether it is an IPv4 address in the form of an IPv6 one. */
export function isMapped({ family, bits }: IpAddress): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

function addressOf(text: string, fail: (problem: string) => ParseError): IpAddress {
  try {
    return parseIpAddress(text);
  } catch (error) {
    if (error instanceof ParseError) throw fail(error.message);
    throw error;
  }
}

function parseIpv4(text: string, whole: string): bigint {
  const fields = text.split(".");
  for (const [index, field] of fields.entries()) {
    const at = text.split(".").slice(index).join(".");
    const [bad] = /[^\d.]/.exec(field) ?? [];
    if (bad !== undefined) throw addressError(whole, "unexpected character", at.slice(at.indexOf(bad)));
    if (field === "") throw addressError(whole, "IPv4 field must have at least one digit", index === 0 ? undefined : at);
    if (field.length > 1 && field.startsWith("0")) throw addressError(whole, "IPv4 field has octet with leading zero");
    if (Number(field) > 255) throw addressError(whole, "IPv4 field has value >255");
    if (index > 3) throw addressError(whole, "IPv4 address too long");
  }
  if (fields.length < 4) throw addressError(whole, "IPv4 address too short");
  return fields.reduce((bits, field) => (bits << 8n) | BigInt(field), 0n);
}

function parseIpv6(text: string): IpAddress {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") throw addressError(text, "zone must be a non-empty string");
  const body = percent < 0 ? text : text.slice(0, percent);
  const halves = body.split("::");
  if (halves.length > 2) throw addressError(text, "multiple :: in address", body.slice(body.lastIndexOf("::") + 1));
  const [head = [], tail] = halves.map((half) =>
    half === "" ? [] : half.split(":").flatMap((field, index, all) => fieldBits(field, index === all.length - 1, text)),
  );
  const count = head.length + (tail?.length ?? 0);
  if (tail === undefined && count < 8) throw addressError(text, "address string too short");
  if (count > 8) throw addressError(text, "trailing garbage after address");
  if (tail !== undefined && count === 8) throw addressError(text, "the :: must expand to at least one field of zeros");
  const groups = [...head, ...Array.from({ length: 8 - count }, () => 0n), ...(tail ?? [])];
  return { family: 6, bits: groups.reduce((bits, group) => (bits << 16n) | group, 0n), zone };
}

/** The groups of a field: two when it is an IPv4 address, which the last one may be. */
function fieldBits(field: string, isLast: boolean, text: string): readonly bigint[] {
  if (isLast && field.includes(".")) {
    const bits = parseIpv4(field, text);
    return [bits >> 16n, bits & 0xffffn];
  }
  const [digits = ""] = /^[\da-fA-F]*/.exec(field) ?? [];
  if (digits === "") throw addressError(text, "each colon-separated field must have at least one digit", text.slice(text.indexOf(field)));
  if (digits.length > 4) throw addressError(text, "each group must have 4 or less digits", text.slice(text.indexOf(field)));
  if (digits !== field) throw addressError(text, "unexpected character, want colon", text.slice(text.indexOf(field) + digits.length));
  return [BigInt(`0x${digits}`)];
}

function groupsOf(bits: bigint, count: number, width: number): number[] {
  return Array.from({ length: count }, (_, index) => Number(BigInt.asUintN(width, bits >> BigInt(width * (count - 1 - index)))));
}

function addressError(text: string, problem: string, at?: string): ParseError {
  return new ParseError(`ParseAddr(${quote(text)}): ${problem}${at === undefined ? "" : ` (at ${quote(at)})`}`);
}
