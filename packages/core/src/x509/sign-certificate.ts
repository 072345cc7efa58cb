import { generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Clock } from "../outside/clock.ts";
import type { Random } from "../outside/random.ts";
import { bitString, derValue, integer, objectIdentifier, sequence, time } from "./der.ts";
import { readDer } from "./der-reader.ts";
import { fromPem, toPem } from "./pem.ts";

/** Certificates begin a little before they are made, for those whose clock is behind. */
export const skewMs: number = 5 * 60_000;

/** Who signs a certificate. */
export interface CertificateIssuer {
  /** In DER, as `distinguishedName` or `subjectOf` returns it. */
  readonly name: Uint8Array;
  /** An EC key on P-256. */
  readonly privateKey: KeyObject;
}

/** What an authority signs, and where it takes time and serial numbers from. */
export interface CertificateDraft {
  readonly clock: Clock;
  readonly random: Random;
  readonly notAfterMs: number;
  /** In DER, as `distinguishedName` or `subjectOf` returns it. */
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  readonly issuer: CertificateIssuer;
  /** In DER, as `keyUsage` and its like return them. */
  readonly extensions: readonly Uint8Array[];
}

/** Signs a certificate, which begins a little before now. In PEM. */
export function signCertificate({ clock, random, notAfterMs, subject, publicKey, issuer, extensions }: CertificateDraft): string {
  const content = sequence(
    derValue(explicitTag(0), integer("02")), // The third version, with extensions.
    integer(serialNumber(random)),
    algorithm(),
    issuer.name,
    sequence(time(clock.now() - skewMs), time(notAfterMs)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    derValue(explicitTag(3), sequence(...extensions)),
  );
  const certificate = sequence(content, algorithm(), bitString(sign("sha256", content, issuer.privateKey)));
  return toPem("CERTIFICATE", certificate);
}

/** A private key and its public one. */
export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A new pair of keys on P-256. */
export function newKeys(): KeyPair {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** Whom a certificate (PEM) names, in DER: the very bytes, by which others find the issuer of what it signs. */
export function subjectOf(cert: string): Uint8Array {
  const [whole] = readDer(fromPem("CERTIFICATE", cert) ?? noBytes);
  const [content] = readDer(whole?.contents ?? noBytes);
  // Before it: version, serial number, algorithm, issuer and validity.
  const [, , , , , subject] = readDer(content?.contents ?? noBytes);
  if (subject === undefined) throw new TypeError("not a certificate in PEM");
  return subject.bytes;
}

const noBytes = new Uint8Array();

/** ECDSA with SHA-256. */
function algorithm(): Uint8Array {
  return sequence(objectIdentifier("1.2.840.10045.4.3.2"));
}

/** A positive number of 16 bytes. */
function serialNumber(random: Random): string {
  return `4${random.uuid().replaceAll("-", "").slice(1)}`;
}

function explicitTag(number: number): number {
  return 0xa0 | number;
}
