import { X509Certificate, createPrivateKey } from "node:crypto";
import type { Clock, Random } from "@kaji/core";
import {
  alternativeNames,
  authorityConstraints,
  authorityKeyIdentifier,
  distinguishedName,
  extendedKeyUsage,
  issueAuthority,
  issueLeaf,
  keyUsage,
  signCertificate,
  subjectKeyIdentifier,
  subjectOf,
} from "@kaji/core/x509";
import { validityOf } from "./certificate.ts";
import type { Certificate } from "./certificate.ts";

/** What the key of an authority is used for. */
const authorityUsages = ["keyCertSign", "digitalSignature"] as const;

/** Where an authority takes time and serial numbers from, and how long what it makes is valid. */
export interface IssueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly lifetimeMs: number;
}

/** Makes a certificate authority of its own, with an EC key on P-256. A random number makes its name unique. */
export function createAuthority(commonName: string, { clock, random, lifetimeMs }: IssueOptions): Certificate {
  const name = distinguishedName(`${commonName} ${random.uuid().slice(0, 8)}`);
  const extensions = [authorityConstraints(1), keyUsage(...authorityUsages)];
  return issueAuthority(name, extensions, { clock, random, notAfterMs: clock.now() + lifetimeMs });
}

/**
 * Cross-signs the next authority by the previous one: a client that trusts only the previous one can verify what the next one has signed. It is not valid for
 * longer than the older one.
 */
export function crossSign(authority: Pick<Certificate, "cert">, older: Certificate, options: Omit<IssueOptions, "lifetimeMs">): string {
  const [next, issuer] = [new X509Certificate(authority.cert), new X509Certificate(older.cert)];
  return signCertificate({
    ...options,
    notAfterMs: Math.min(validityOf(issuer).toMs, validityOf(next).toMs),
    subject: subjectOf(authority.cert),
    publicKey: next.publicKey,
    issuer: { name: subjectOf(older.cert), privateKey: createPrivateKey(older.key) },
    extensions: [
      authorityConstraints(0),
      keyUsage(...authorityUsages),
      authorityKeyIdentifier(issuer.publicKey),
      subjectKeyIdentifier(next.publicKey),
    ],
  });
}

/** Makes a certificate that a server shows for all of the names: host names and IP addresses. It is not valid for longer than its authority. */
export function issueServing(authority: Certificate, names: readonly string[], { clock, random, lifetimeMs }: IssueOptions): Certificate {
  const notAfterMs = Math.min(clock.now() + lifetimeMs, validityOf(new X509Certificate(authority.cert)).toMs);
  const extensions = [extendedKeyUsage("serverAuth"), alternativeNames(names)];
  return issueLeaf(authority, distinguishedName("webhook"), extensions, { clock, random, notAfterMs });
}
