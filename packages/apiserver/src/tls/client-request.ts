import { X509Certificate, createPrivateKey, webcrypto } from "node:crypto";
import type * as X509 from "@peculiar/x509";
import { mastersGroup } from "../auth/user-info.ts";
import type { Certificate } from "./certificate.ts";
import { certificateMs, loadX509, signCertificate, skewMs } from "./certificate-authority.ts";
import type { IssueOptions } from "./certificate-authority.ts";

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

/** The object identifier of the extension with the subject's other names. */
const alternativeNames = "2.5.29.17";
/** What lives shorter than this is given its whole time. */
const shortMs = 8 * 60 * 60_000;

/** Makes a certificate (PEM) by which a client shows who it is, for the key that it has. */
export async function signClientRequest(authority: Certificate, wanted: ClientRequest, options: IssueOptions): Promise<string> {
  const x509 = await loadX509();
  const request = await readRequest(wanted.request);
  const issuer = new x509.X509Certificate(authority.cert);
  const names = request.getExtension(alternativeNames);
  let usage = 0;
  if (wanted.usages.includes("digital signature")) usage |= x509.KeyUsageFlags.digitalSignature;
  if (wanted.usages.includes("key encipherment")) usage |= x509.KeyUsageFlags.keyEncipherment;
  const certificate = await signCertificate({
    ...options,
    publicKey: request.publicKey,
    notAfterMs: Math.min(options.clock.now() + lifeMs(wanted.expirationSeconds), issuer.notAfter.getTime()),
    subject: request.subjectName,
    issuer: { name: issuer.subjectName.toJSON(), privateKey: createPrivateKey(authority.key) },
    extensions: [
      ...(usage === 0 ? [] : [new x509.KeyUsagesExtension(usage, true)]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      new x509.BasicConstraintsExtension(false, undefined, true),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names === null ? [] : [names]),
    ],
  });
  // Read as it will be when it is shown, whatever reading the request made of it.
  const { O: groups = [] } = new X509Certificate(certificate).toLegacyObject().subject;
  if ([groups].flat().includes(mastersGroup)) throw new ClientRequestError(`a client of ${mastersGroup} is not certified on request`);
  return certificate;
}

/** The groups of which a client would be with the certificate that it asks for (PKCS #10, in PEM). */
export async function requestedGroups(request: string): Promise<readonly string[]> {
  return (await parseRequest(request)).subjectName.getField("O");
}

async function readRequest(pem: string): Promise<X509.Pkcs10CertificateRequest> {
  const request = await parseRequest(pem);
  if (await request.verify(webcrypto)) return request;
  throw new ClientRequestError("the certificate request is not signed by the key it is for");
}

async function parseRequest(pem: string): Promise<X509.Pkcs10CertificateRequest> {
  const x509 = await loadX509();
  try {
    return new x509.Pkcs10CertificateRequest(pem);
  } catch (error) {
    throw new ClientRequestError("the certificate request cannot be read", { cause: error });
  }
}

/** A certificate begins before it is made; one that is not short ends as much earlier. */
function lifeMs(expirationSeconds = Infinity): number {
  const wantedMs = Math.min(expirationSeconds * 1000, certificateMs);
  return wantedMs < shortMs ? wantedMs : wantedMs - skewMs;
}
