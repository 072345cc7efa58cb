import { X509Certificate, createPrivateKey } from "node:crypto";
import {
  authorityKeyIdentifier,
  extendedKeyUsage,
  keyUsage,
  leafConstraints,
  organizationsOf,
  signCertificate,
  skewMs,
  subjectOf,
} from "@kaji/core/x509";
import type { KeyUsage } from "@kaji/core/x509";
import { mastersGroup } from "@kaji/core/serving";
import type { Certificate } from "./certificate.ts";
import { certificateMs } from "./certificate-authority.ts";
import type { IssueOptions } from "./certificate-authority.ts";
import { readCertificateRequest } from "./certificate-request.ts";

/** What a client asks an authority to certify. */
export interface ClientRequest {
  /** PKCS #10, in PEM: the subject, its names and its public key. */
  readonly request: string;
  /** What the key may be used for besides showing who the client is. */
  readonly usages: readonly ("digital signature" | "key encipherment")[];
  /** Default a year, which is also the longest. */
  readonly expirationSeconds?: number | undefined;
}

/** A request cannot be read, or is not signed by the key it is for. */
export class ClientRequestError extends Error {
  override readonly name = "ClientRequestError";
}

/** What lives shorter than this is given its whole time. */
const shortMs = 8 * 60 * 60_000;

/** Makes a certificate (PEM) by which a client shows who it is, for the key that it has. */
export function signClientRequest(authority: Certificate, wanted: ClientRequest, options: IssueOptions): string {
  const request = readable(wanted.request, readCertificateRequest);
  if (!request.isSigned()) throw new ClientRequestError("the certificate request is not signed by the key it is for");
  const issuer = new X509Certificate(authority.cert);
  const usages = wanted.usages.map(usageOf);
  const certificate = signCertificate({
    ...options,
    publicKey: request.publicKey,
    notAfterMs: Math.min(options.clock.now() + lifeMs(wanted.expirationSeconds), issuer.validToDate.getTime()),
    subject: request.subject,
    issuer: { name: subjectOf(authority.cert), privateKey: createPrivateKey(authority.key) },
    extensions: [
      ...(usages.length === 0 ? [] : [keyUsage(...usages)]),
      extendedKeyUsage("clientAuth"),
      leafConstraints(),
      authorityKeyIdentifier(issuer.publicKey),
      ...(request.alternativeNames === undefined ? [] : [request.alternativeNames]),
    ],
  });
  // Read as it will be when it is shown, whatever reading the request made of it.
  const { O: groups = [] } = readable(certificate, (pem) => new X509Certificate(pem).toLegacyObject().subject);
  if ([groups].flat().includes(mastersGroup)) throw new ClientRequestError(`a client of ${mastersGroup} is not certified on request`);
  return certificate;
}

/** The groups of which a client would be with the certificate that it asks for (PKCS #10, in PEM). */
export function requestedGroups(request: string): readonly string[] {
  return readable(request, (pem) => organizationsOf(readCertificateRequest(pem).subject));
}

function readable<T>(pem: string, read: (pem: string) => T): T {
  try {
    return read(pem);
  } catch (error) {
    throw new ClientRequestError("the certificate request cannot be read", { cause: error });
  }
}

function usageOf(usage: ClientRequest["usages"][number]): KeyUsage {
  return usage === "digital signature" ? "digitalSignature" : "keyEncipherment";
}

/** A certificate begins before it is made; one that is not short ends as much earlier. */
function lifeMs(expirationSeconds = Infinity): number {
  const wantedMs = Math.min(expirationSeconds * 1000, certificateMs);
  return wantedMs < shortMs ? wantedMs : wantedMs - skewMs;
}
