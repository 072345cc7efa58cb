import { X509Certificate, createPrivateKey } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its private key, in PEM. The certificate may be followed by those that lead to its authority. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Whether the key belongs to the certificate. False too for what is neither. */
export function isPair({ cert, key }: Certificate): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // What cannot be read is no pair.
  }
}

/** The moments between which a certificate is valid. */
export interface Validity {
  readonly fromMs: number;
  readonly toMs: number;
}

/** From when to when a certificate is valid. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { fromMs: Date.parse(validFrom), toMs: Date.parse(validTo) };
}

/** Whether an authority has signed a certificate. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Whether a certificate is for all of the names, host names and IP addresses. */
export function isFor(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name, { subject: "never" }) : certificate.checkIP(name)) !== undefined,
  );
}

/** The blocks of one kind in a text of PEM, such as `CERTIFICATE`, each with a line break at its end. */
export function pemBlocks(text: string, label: string): readonly string[] {
  const blocks = text.match(new RegExp(`-----BEGIN ${label}-----[^-]*-----END ${label}-----`, "g")) ?? [];
  return blocks.map((block) => `${block}\n`);
}
