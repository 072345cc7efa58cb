import { X509Certificate } from "node:crypto";
import { isIssuedBy } from "../certificate.ts";

/** Each text is parsed once: that takes longer than all else in these tests. */
const certificates = new Map<string, X509Certificate>();

/** A certificate in PEM, parsed. */
export function parsedCertificate(cert: string): X509Certificate {
  const certificate = certificates.get(cert) ?? new X509Certificate(cert);
  certificates.set(cert, certificate);
  return certificate;
}

/** Whether an authority has issued a certificate, both in PEM. */
export function isIssued(cert: string, authority: string): boolean {
  return isIssuedBy(parsedCertificate(cert), parsedCertificate(authority));
}
