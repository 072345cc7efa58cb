import { X509Certificate, createPrivateKey } from "node:crypto";

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Whether a certificate is signed by this authority, is for all the names, and will still be valid at a moment. */
export function isValidFor(certificate: Certificate, authority: Certificate, names: readonly string[], atMs: number): boolean {
  try {
    const parsed = parse(certificate);
    const isSigned = parsed.checkIssued(parse(authority)) && parsed.verify(new X509Certificate(authority.cert).publicKey);
    return isSigned && isValidAt(certificate, atMs) && names.every((name) => isNamed(parsed, name));
  } catch {
    return false; // What cannot be read is made anew.
  }
}

/** Whether a certificate will be valid at a moment. */
export function isValidAt({ cert }: Certificate, atMs: number): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  return Date.parse(validFrom) <= atMs && atMs < Date.parse(validTo);
}

/** Both as one PEM file, so that they cannot be parted. */
export function toPem({ cert, key }: Certificate): string {
  return `${cert.trim()}\n${key.trim()}\n`;
}

/** Reads what `toPem` wrote. Throws when it is anything else, or the key is another certificate's. */
export function fromPem(text: string): Certificate {
  const [cert = ""] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(text) ?? [];
  const [key = ""] = /-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----/.exec(text) ?? [];
  const certificate = { cert: `${cert}\n`, key: `${key}\n` };
  parse(certificate);
  return certificate;
}

function parse({ cert, key }: Certificate): X509Certificate {
  const parsed = new X509Certificate(cert);
  if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new TypeError("the private key is not the certificate's");
  return parsed;
}

/** A name is a host or an address, and no text is both. */
function isNamed(certificate: X509Certificate, name: string): boolean {
  return (certificate.checkHost(name, { subject: "never" }) ?? certificate.checkIP(name)) !== undefined;
}
