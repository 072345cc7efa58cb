import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import { errorMessage } from "@kaji/core";
import type { PemSource } from "../connection/connection.ts";
import type { KeyPair } from "../connection/credential-source.ts";
import { TransportError } from "../transport-error.ts";

/** What client and server prove themselves to each other with. Undefined: what Node trusts, and nothing to show. */
export interface TlsMaterial {
  readonly ca?: string | undefined;
  readonly certificate?: KeyPair | undefined;
}

/** Makes TLS contexts out of certificates that change on disk. */
export class TlsContexts {
  /** What messages call the authority. */
  readonly #authority: string;
  #material: TlsMaterial = {};
  #context: SecureContext | undefined;

  constructor(authority: PemSource | undefined) {
    this.#authority = `certificate authority${authority?.type === "File" ? ` in ${authority.path}` : ""}`;
  }

  /** The context for this material: the same one as before if it is the same material. */
  contextOf(material: TlsMaterial): SecureContext {
    const { ca, certificate } = material;
    if (this.#context !== undefined && ca === this.#material.ca && certificate === this.#material.certificate) return this.#context;
    try {
      this.#context = this.#create(material);
    } catch (error) {
      // What is being replaced may be half written, and of two files one may be new and the other still old: then what was before is better than none.
      if (this.#context === undefined) throw error;
    }
    this.#material = material;
    return this.#context;
  }

  #create({ ca, certificate }: TlsMaterial): SecureContext {
    // Node takes any text for an authority, and then trusts nobody.
    if (ca !== undefined && !hasCertificate(ca)) throw unusable(this.#authority, "there is no certificate in it");
    try {
      return createSecureContext({ ca, cert: certificate?.certificate, key: certificate?.key });
    } catch (error) {
      // OpenSSL's message names the problem, and never quotes a key.
      throw unusable(certificate === undefined ? this.#authority : "client certificate or client key", errorMessage(error), error);
    }
  }
}

function hasCertificate(pem: string): boolean {
  return (pem.match(/-----BEGIN [^-]*CERTIFICATE-----[^-]+-----END [^-]*CERTIFICATE-----/g) ?? []).some(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function unusable(what: string, why: string, cause?: unknown): TransportError {
  return new TransportError("Unauthenticated", `the ${what} cannot be used: ${why}`, { cause });
}
