import { KeyObject, createHash, sign } from "node:crypto";
import type { webcrypto } from "node:crypto";

const subtle: object = {
  exportKey: async (_format: "spki", key: webcrypto.CryptoKey) => KeyObject.from(key).export({ type: "spki", format: "der" }),
  digest: async (_algorithm: "SHA-1", data: ArrayBuffer) => createHash("sha1").update(new Uint8Array(data)).digest(),
  sign: async (_algorithm: object, key: webcrypto.CryptoKey, data: ArrayBuffer) =>
    sign("sha256", new Uint8Array(data), { key: KeyObject.from(key), dsaEncoding: "ieee-p1363" }),
};

/**
 * As much of Web Crypto as making a certificate takes, computed at once rather than on another thread: a signature takes a fraction of a
 * millisecond, and virtual time does not wait for threads.
 */
export const promptCrypto: webcrypto.Crypto = { subtle } as webcrypto.Crypto;
