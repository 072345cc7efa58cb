import { ParseError } from "@kaji/core";
import { formatIpAddress, isMapped, parseIpAddress, quote, widthOf } from "@kaji/core/go";
import type { IpAddress } from "@kaji/core/go";
import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, intType, opaqueType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { ErrorValue } from "../value/value.ts";
import type { OpaqueValue, Value } from "../value/value.ts";

const ipName = "net.IP";

export const ipType: Type<IpValue> = opaqueType(ipName);

/** IP addresses. */
export const ip: readonly FunctionDeclaration[] = [
  declare("ip", overload("string_to_ip", [stringType], ipType, readIp)),
  declare(
    "isIP",
    overload("is_ip", [stringType], boolType, (text) => !(readIp(text) instanceof ErrorValue)),
  ),
  declare("ip.isCanonical", overload("ip_is_canonical", [stringType], boolType, isCanonical)),
  declare(
    "family",
    memberOverload("ip_family", [ipType], intType, ({ address }) => address.family),
  ),
  test("isUnspecified", "ip_is_unspecified", ({ bits }) => bits === 0n),
  test("isLoopback", "ip_is_loopback", ({ family, bits }) => (family === 4 ? bits >> 24n === 127n : bits === 1n)),
  test("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
  test("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
  test("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
  declare("string", overload("ip_to_string", [ipType], stringType, String)),
];

/** An address as a value. */
export class IpValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName: string = ipName;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    this.address = address;
  }

  get size(): number {
    return widthOf(this.address) / 8;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && other.address.family === this.address.family && other.address.bits === this.address.bits;
  }

  toString(): string {
    return formatIpAddress(this.address);
  }
}

/** The address; one for a single link, or IPv4 in the form of IPv6, is refused. */
export function readIp(text: string): IpValue | ErrorValue {
  try {
    const address = parseIpAddress(text);
    if (address.zone !== "") return new ErrorValue(`IP address ${quote(text)} with zone value is not allowed`);
    if (isMapped(address)) return new ErrorValue(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
    return new IpValue(address);
  } catch (error) {
    if (error instanceof ParseError)
      return new ErrorValue(`IP Address ${quote(text)} parse error during conversion from string: ${error.message}`);
    throw error;
  }
}

function isCanonical(text: string): Value {
  const address = readIp(text);
  return address instanceof ErrorValue ? address : address.toString() === text;
}

function test(name: string, id: string, holds: (address: IpAddress) => boolean): FunctionDeclaration {
  return declare(
    name,
    memberOverload(id, [ipType], boolType, ({ address }) => holds(address)),
  );
}

function isLinkLocalMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 8n === 0xe0_00_00n : ((bits >> 112n) & 0xff0fn) === 0xff02n;
}

function isLinkLocalUnicast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 16n === 0xa9_fen : bits >> 118n === 0x3fan;
}

function isGlobalUnicast(address: IpAddress): boolean {
  const { family, bits } = address;
  const isMulticast = family === 4 ? bits >> 28n === 0xen : bits >> 120n === 0xffn;
  const isLoopback = family === 4 ? bits >> 24n === 127n : bits === 1n;
  const isBroadcast = family === 4 && bits === 0xff_ff_ff_ffn;
  return bits !== 0n && !isMulticast && !isLoopback && !isBroadcast && !isLinkLocalUnicast(address);
}
