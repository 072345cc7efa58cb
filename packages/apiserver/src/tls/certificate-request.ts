import { createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { alternativeNamesId, fromPem, objectIdentifier, readDer } from "@kaji/core/x509";
import type { DerValue } from "@kaji/core/x509";

/** What PKCS #10 says: whom a certificate shall name, and for which key. Parts are in DER. */
export interface CertificateRequest {
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  /** The extension with the subject's other names; undefined if there is none. */
  readonly alternativeNames: Uint8Array | undefined;
  /** Whether it is signed by the key that it is for. */
  isSigned(): boolean;
}

/** The hashes of the signatures that are known, by the algorithm's object identifier: those of RSA, ECDSA and Ed25519, which has its own. */
const hashes = new Map<string, string | null>([
  ["1.2.840.113549.1.1.11", "sha256"],
  ["1.2.840.113549.1.1.12", "sha384"],
  ["1.2.840.113549.1.1.13", "sha512"],
  ["1.2.840.10045.4.3.2", "sha256"],
  ["1.2.840.10045.4.3.3", "sha384"],
  ["1.2.840.10045.4.3.4", "sha512"],
  ["1.3.101.112", null],
]);

const extensionRequestId = "1.2.840.113549.1.9.14";
const attributesTag = 0xa0;

/** Reads a request in PEM; throws if it is none. */
export function readCertificateRequest(pem: string): CertificateRequest {
  const [whole] = readDer(fromPem("(?:NEW )?CERTIFICATE REQUEST", pem) ?? new Uint8Array());
  const [content, algorithm, signature] = childrenOf(whole);
  const [, subject, key, attributes] = childrenOf(content);
  if (content === undefined || subject === undefined || key === undefined) throw new TypeError("not a certificate request in PEM");
  const publicKey = createPublicKey({ key: Buffer.from(key.bytes), format: "der", type: "spki" });
  return {
    subject: subject.bytes,
    publicKey,
    alternativeNames: attributes?.tag === attributesTag ? alternativeNamesIn(attributes) : undefined,
    isSigned: () => {
      const hash = algorithm === undefined ? undefined : hashOf(algorithm);
      // A bit string begins with how many bits of its last byte are unused.
      return hash !== undefined && signature !== undefined && verify(hash, content.bytes, publicKey, signature.contents.subarray(1));
    },
  };
}

function hashOf(algorithm: DerValue): string | null | undefined {
  const [id] = childrenOf(algorithm);
  return [...hashes].find(([text]) => is(id, text))?.[1];
}

function alternativeNamesIn(attributes: DerValue): Uint8Array | undefined {
  const extensions = childrenOf(attributes).flatMap((attribute) => {
    const [id, values] = childrenOf(attribute);
    return is(id, extensionRequestId) ? childrenOf(values).flatMap(childrenOf) : [];
  });
  return extensions.find((extension) => is(childrenOf(extension)[0], alternativeNamesId))?.bytes;
}

function is(id: DerValue | undefined, text: string): boolean {
  return id !== undefined && Buffer.from(id.bytes).equals(objectIdentifier(text));
}

function childrenOf(value: DerValue | undefined): readonly DerValue[] {
  return value === undefined ? [] : readDer(value.contents);
}
