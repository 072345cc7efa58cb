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
  const fields = [0];
  let digits = 0;
  for (const [at, character] of [...text].entries()) {
    const value = fields.at(-1) ?? 0;
    if (character === ".") {
      if (digits === 0 || at === text.length - 1) throw addressError(whole, "IPv4 field must have at least one digit", text.slice(at));
      if (fields.length === 4) throw addressError(whole, "IPv4 address too long");
      fields.push(0);
      digits = 0;
      continue;
    }
    if (!/\d/.test(character)) throw addressError(whole, "unexpected character", text.slice(at));
    if (digits === 1 && value === 0) throw addressError(whole, "IPv4 field has octet with leading zero");
    fields[fields.length - 1] = value * 10 + Number(character);
    digits++;
    if (value * 10 + Number(character) > 255) throw addressError(whole, "IPv4 field has value >255");
  }
  if (fields.length < 4) throw addressError(whole, "IPv4 address too short");
  return fields.reduce((bits, field) => (bits << 8n) | BigInt(field), 0n);
}

function parseIpv6(text: string): IpAddress {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") throw addressError(text, "zone must be a non-empty string");
  const { groups, gap } = readGroups(percent < 0 ? text : text.slice(0, percent), text);
  if (gap === undefined && groups.length < 8) throw addressError(text, "address string too short");
  if (gap !== undefined && groups.length === 8) throw addressError(text, "the :: must expand to at least one field of zeros");
  const zeros = Array.from({ length: 8 - groups.length }, () => 0n);
  const all = groups.toSpliced(gap ?? 0, 0, ...zeros);
  return { family: 6, bits: all.reduce((bits, group) => (bits << 16n) | group, 0n), zone };
}

/** The groups that are written out, and before which of them is `::`. Read from the left, since what is said of a wrong address is said of what is wrong first. */
function readGroups(body: string, text: string): { readonly groups: readonly bigint[]; readonly gap: number | undefined } {
  const groups: bigint[] = [];
  let gap = body.startsWith("::") ? 0 : undefined;
  let rest = gap === undefined ? body : body.slice(2);
  while (groups.length < 8 && (rest !== "" || gap === undefined)) {
    const digits = leadingDigits(rest, text);
    if (rest.charAt(digits.length) === ".") {
      groups.push(...embeddedGroups(rest, groups.length, gap !== undefined, text));
      return { groups, gap };
    }
    groups.push(BigInt(`0x${digits}`));
    rest = rest.slice(digits.length);
    if (rest === "") return { groups, gap };
    if (!rest.startsWith(":")) throw addressError(text, "unexpected character, want colon", rest);
    if (rest === ":") throw addressError(text, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (gap !== undefined) throw addressError(text, "multiple :: in address", rest);
    gap = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== "") throw addressError(text, "trailing garbage after address", rest);
  return { groups, gap };
}

function leadingDigits(rest: string, text: string): string {
  const [digits = ""] = /^[\da-f]*/i.exec(rest) ?? [];
  if (digits.length > 4) throw addressError(text, "each group must have 4 or less digits", rest);
  if (digits === "") throw addressError(text, "each colon-separated field must have at least one digit", rest);
  return digits;
}

/** The two last groups, written as an IPv4 address. */
function embeddedGroups(rest: string, before: number, hasGap: boolean, text: string): readonly bigint[] {
  if (!hasGap && before !== 6) throw addressError(text, "embedded IPv4 address must replace the final 2 fields of the address", rest);
  if (before > 6) throw addressError(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
  const bits = parseIpv4(rest, text);
  return [bits >> 16n, bits & 0xffffn];
}

function groupsOf(bits: bigint, count: number, width: number): number[] {
  return Array.from({ length: count }, (_, index) => Number(BigInt.asUintN(width, bits >> BigInt(width * (count - 1 - index)))));
}

function addressError(text: string, problem: string, at = ""): ParseError {
  return new ParseError(`ParseAddr(${quote(text)}): ${problem}${at === "" ? "" : ` (at ${quote(at)})`}`);
}
