import { X509Certificate } from "node:crypto";
import type { ClientCertificate } from "./credentials.ts";

/** SHA-256 of every certificate in a bundle (PEM), in hexadecimal. */
export function fingerprintsOf(bundle: string): ReadonlySet<string> {
  const certificates = bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return new Set(certificates.map((pem) => hexadecimal(new X509Certificate(pem).fingerprint256)));
}

/** Whether one of these has signed a certificate, directly or by another one. */
export function isSignedByOneOf(
  { authorities = [] }: Extract<ClientCertificate, { readonly type: "Trusted" }>,
  believed: ReadonlySet<string>,
): boolean {
  return authorities.some((authority) => believed.has(authority));
}

/** A fingerprint without its colons, in lower case. */
export function hexadecimal(fingerprint: string): string {
  return fingerprint.replaceAll(":", "").toLowerCase();
}
