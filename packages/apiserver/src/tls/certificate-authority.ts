import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Clock, Random } from "@kaji/core";
import {
  alternativeNames,
  authorityConstraints,
  authorityKeyIdentifier,
  distinguishedName,
  extendedKeyUsage,
  keyUsage,
  leafConstraints,
  newKeys,
  signCertificate,
  subjectKeyIdentifier,
  subjectOf,
} from "@kaji/core/x509";
import type { Certificate } from "./certificate.ts";

const dayMs = 24 * 60 * 60_000;
const authorityMs = 3650 * dayMs;
/** How long a certificate is good at most. */
export const certificateMs: number = 365 * dayMs;

/** Whom a client certificate names: a user and the user's groups. */
export interface ClientSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** Where an authority takes time and serial numbers from. */
export interface IssueOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes a certificate authority of its own, with an EC key on P-256. */
export function createAuthority(commonName: string, { clock, random }: IssueOptions): Certificate {
  const { publicKey, privateKey } = newKeys();
  const name = distinguishedName(commonName);
  const cert = signCertificate({
    clock,
    random,
    notAfterMs: clock.now() + authorityMs,
    subject: name,
    publicKey,
    issuer: { name, privateKey },
    extensions: [authorityConstraints(), keyUsage("keyCertSign", "cRLSign", "digitalSignature"), subjectKeyIdentifier(publicKey)],
  });
  return { cert, key: pemOf(privateKey) };
}

/** Makes a certificate that a server shows for all of the names: host names and IP addresses. */
export function issueServing(authority: Certificate, names: readonly string[], options: IssueOptions): Certificate {
  return issueLeaf(authority, distinguishedName("kube-apiserver"), [extendedKeyUsage("serverAuth"), alternativeNames(names)], options);
}

/** Makes a certificate by which a client shows who it is. */
export function issueClient(authority: Certificate, { commonName, organizations }: ClientSubject, options: IssueOptions): Certificate {
  return issueLeaf(authority, distinguishedName(commonName, organizations), [extendedKeyUsage("clientAuth")], options);
}

function issueLeaf(
  authority: Certificate,
  subject: Uint8Array,
  extensions: readonly Uint8Array[],
  { clock, random }: IssueOptions,
): Certificate {
  const { publicKey, privateKey } = newKeys();
  const cert = signCertificate({
    clock,
    random,
    notAfterMs: clock.now() + certificateMs,
    subject,
    publicKey,
    issuer: { name: subjectOf(authority.cert), privateKey: createPrivateKey(authority.key) },
    extensions: [
      keyUsage("digitalSignature"),
      leafConstraints(),
      authorityKeyIdentifier(new X509Certificate(authority.cert).publicKey),
      ...extensions,
      subjectKeyIdentifier(publicKey),
    ],
  });
  return { cert, key: pemOf(privateKey) };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
