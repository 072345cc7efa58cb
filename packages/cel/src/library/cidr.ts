import { ParseError } from "@kaji/core";
import { formatIpAddress, isMapped, maskedPrefix, parseIpPrefix, prefixContains, quote } from "@kaji/core/go";
import type { IpPrefix } from "@kaji/core/go";
import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, intType, opaqueType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { ErrorValue } from "../value/value.ts";
import type { OpaqueValue, Value } from "../value/value.ts";
import { IpValue, ipType, readIp } from "./ip.ts";

const cidrName = "net.CIDR";
const cidrType: Type<CidrValue> = opaqueType(cidrName);

/** Networks such as `10.0.0.0/8`. */
export const cidr: readonly FunctionDeclaration[] = [
  declare("cidr", overload("string_to_cidr", [stringType], cidrType, read)),
  declare(
    "isCIDR",
    overload("is_cidr", [stringType], boolType, (text) => !(read(text) instanceof ErrorValue)),
  ),
  declare(
    "containsIP",
    memberOverload("cidr_contains_ip_string", [cidrType, stringType], boolType, (network, text) => containsIp(network, readIp(text))),
    memberOverload("cidr_contains_ip_ip", [cidrType, ipType], boolType, containsIp),
  ),
  declare(
    "containsCIDR",
    memberOverload("cidr_contains_cidr_string", [cidrType, stringType], boolType, (network, text) => containsCidr(network, read(text))),
    memberOverload("cidr_contains_cidr", [cidrType, cidrType], boolType, containsCidr),
  ),
  declare(
    "ip",
    memberOverload("cidr_ip", [cidrType], ipType, ({ prefix }) => new IpValue(prefix.address)),
  ),
  declare(
    "prefixLength",
    memberOverload("cidr_prefix_length", [cidrType], intType, ({ prefix }) => prefix.length),
  ),
  declare(
    "masked",
    memberOverload("cidr_masked", [cidrType], cidrType, ({ prefix }) => new CidrValue(maskedPrefix(prefix))),
  ),
  declare("string", overload("cidr_to_string", [cidrType], stringType, String)),
];

class CidrValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName = cidrName;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    this.prefix = prefix;
  }

  get size(): number {
    return Math.ceil(this.prefix.length / 8);
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof CidrValue && other.toString() === this.toString();
  }

  toString(): string {
    return `${formatIpAddress(this.prefix.address)}/${this.prefix.length}`;
  }
}

function read(text: string): CidrValue | ErrorValue {
  const head = "network address parse error during conversion from string:";
  try {
    const prefix = parseIpPrefix(text);
    if (isMapped(prefix.address)) return new ErrorValue(`${head} IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
    return new CidrValue(prefix);
  } catch (error) {
    if (error instanceof ParseError) return new ErrorValue(`${head} ${head} ${error.message}`);
    throw error;
  }
}

function containsIp({ prefix }: CidrValue, address: IpValue | ErrorValue): Value {
  return address instanceof ErrorValue ? new ErrorValue("no such overload") : prefixContains(prefix, address.address);
}

function containsCidr({ prefix }: CidrValue, other: CidrValue | ErrorValue): Value {
  if (other instanceof ErrorValue) return other;
  return prefix.length <= other.prefix.length && prefixContains(prefix, other.prefix.address);
}
