import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { authorityKeyIdentifier, keyUsage, leafConstraints, subjectKeyIdentifier } from "./certificate-extension.ts";
import { newKeys, signCertificate, subjectOf } from "./sign-certificate.ts";
import type { CertificateDraft } from "./sign-certificate.ts";

/** A certificate and its private key, in PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Where time and serial numbers come from, and until when a certificate is valid. */
export type Issuance = Pick<CertificateDraft, "clock" | "random" | "notAfterMs">;

/** Makes an authority of its own, which signs itself: with its name in DER, its constraints and what its key is used for. */
export function issueAuthority(name: Uint8Array, extensions: readonly Uint8Array[], issuance: Issuance): IssuedCertificate {
  const { publicKey, privateKey } = newKeys();
  const own = [...extensions, subjectKeyIdentifier(publicKey)];
  const cert = signCertificate({ ...issuance, subject: name, publicKey, issuer: { name, privateKey }, extensions: own });
  return { cert, key: pemOf(privateKey) };
}

/** Makes a certificate for one side of TLS, with a key of its own. The extensions say which, and for which names. */
export function issueLeaf(
  authority: IssuedCertificate,
  subject: Uint8Array,
  extensions: readonly Uint8Array[],
  issuance: Issuance,
): IssuedCertificate {
  const { publicKey, privateKey } = newKeys();
  const cert = signCertificate({
    ...issuance,
    subject,
    publicKey,
    issuer: { name: subjectOf(authority.cert), privateKey: createPrivateKey(authority.key) },
    extensions: [
      keyUsage("digitalSignature"),
      leafConstraints(),
      ...extensions,
      authorityKeyIdentifier(new X509Certificate(authority.cert).publicKey),
      subjectKeyIdentifier(publicKey),
    ],
  });
  return { cert, key: pemOf(privateKey) };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
