import { createHash } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { parseIpAddress, widthOf } from "../go/ip-address.ts";
import { bitString, derValue, integer, objectIdentifier, octetString, sequence, trueValue } from "./der.ts";
import { readDer } from "./der-reader.ts";

/** What a key may be used for, each with its bit. */
const keyUsages = { digitalSignature: 0x80, keyEncipherment: 0x20, keyCertSign: 0x04, cRLSign: 0x02 };

/** What a key may be used for. */
export type KeyUsage = keyof typeof keyUsages;

/** Which side of a TLS connection a certificate is for. */
const purposes = { serverAuth: "1.3.6.1.5.5.7.3.1", clientAuth: "1.3.6.1.5.5.7.3.2" };

/** The object identifier of the extension with the subject's other names. */
export const alternativeNamesId = "2.5.29.17";

/** The tags of names that are not of the subject itself: of a host, and of an address. */
const nameTags = { dns: 0x82, ip: 0x87 };

/** Says that a certificate is an authority's; the path length limits how many authorities may stand between it and a server. */
export function authorityConstraints(pathLength?: number): Uint8Array {
  return constraints(trueValue(), ...(pathLength === undefined ? [] : [integer(pathLength.toString(16))]));
}

/** Says that a certificate is not an authority's. */
export function leafConstraints(): Uint8Array {
  return constraints();
}

function constraints(...values: readonly Uint8Array[]): Uint8Array {
  return criticalExtension("2.5.29.19", sequence(...values));
}

/** What the certificate's key may be used for: one thing at least. */
export function keyUsage(...usages: readonly KeyUsage[]): Uint8Array {
  const bits = usages.reduce((sum, usage) => sum | keyUsages[usage], 0);
  // Zeros at the end are not part of the value; a number's lowest bit is found by its complement.
  const unusedBits = Math.log2(bits & -bits);
  return criticalExtension("2.5.29.15", bitString(Uint8Array.of(bits), unusedBits));
}

/** Which side of a TLS connection the certificate is for. */
export function extendedKeyUsage(purpose: keyof typeof purposes): Uint8Array {
  return extension("2.5.29.37", sequence(objectIdentifier(purposes[purpose])));
}

/** The names that the certificate is shown for: of hosts, and IP addresses. */
export function alternativeNames(names: readonly string[]): Uint8Array {
  return extension(alternativeNamesId, sequence(...names.map(alternativeName)));
}

/** By which a certificate's key is known to those who look for the issuer of another. */
export function subjectKeyIdentifier(key: KeyObject): Uint8Array {
  return extension("2.5.29.14", octetString(keyIdentifier(key)));
}

/** By which the issuer's key is known. */
export function authorityKeyIdentifier(key: KeyObject): Uint8Array {
  return extension("2.5.29.35", sequence(derValue(0x80, keyIdentifier(key))));
}

function alternativeName(name: string): Uint8Array {
  // No host name has a colon, or is four numbers.
  if (!/:|^\d+(?:\.\d+){3}$/.test(name)) return derValue(nameTags.dns, Buffer.from(name));
  const address = parseIpAddress(name);
  return derValue(nameTags.ip, Buffer.from(address.bits.toString(16).padStart(widthOf(address) / 4, "0"), "hex"));
}

/** The hash of a public key, without what says of which kind it is. */
function keyIdentifier(key: KeyObject): Uint8Array {
  const [whole] = readDer(key.export({ type: "spki", format: "der" }));
  const [, bits] = readDer(whole?.contents ?? new Uint8Array());
  // A bit string begins with how many bits of its last byte are unused.
  return createHash("sha1")
    .update(bits?.contents.subarray(1) ?? "")
    .digest();
}

function extension(id: string, value: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(id), octetString(value));
}

/** Who does not know a critical extension must refuse the certificate. */
function criticalExtension(id: string, value: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(id), trueValue(), octetString(value));
}
