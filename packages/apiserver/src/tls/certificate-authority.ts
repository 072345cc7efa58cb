import type { Clock, Random } from "@kaji/core";
import {
  alternativeNames,
  authorityConstraints,
  distinguishedName,
  extendedKeyUsage,
  issueAuthority,
  issueLeaf,
  keyUsage,
} from "@kaji/core/x509";
import type { Issuance } from "@kaji/core/x509";
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
export function createAuthority(commonName: string, options: IssueOptions): Certificate {
  const extensions = [authorityConstraints(), keyUsage("keyCertSign", "cRLSign", "digitalSignature")];
  return issueAuthority(distinguishedName(commonName), extensions, issuance(options, authorityMs));
}

/** Makes a certificate that a server shows for all of the names: host names and IP addresses. */
export function issueServing(authority: Certificate, names: readonly string[], options: IssueOptions): Certificate {
  const extensions = [extendedKeyUsage("serverAuth"), alternativeNames(names)];
  return issueLeaf(authority, distinguishedName("kube-apiserver"), extensions, issuance(options, certificateMs));
}

/** Makes a certificate by which a client shows who it is. */
export function issueClient(authority: Certificate, { commonName, organizations }: ClientSubject, options: IssueOptions): Certificate {
  const subject = distinguishedName(commonName, organizations);
  return issueLeaf(authority, subject, [extendedKeyUsage("clientAuth")], issuance(options, certificateMs));
}

function issuance({ clock, random }: IssueOptions, lifetimeMs: number): Issuance {
  return { clock, random, notAfterMs: clock.now() + lifetimeMs };
}
