import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import { errorMessage } from "@kaji/core";
import type { KeyPair } from "../connection/credential-source.ts";
import { TransportError } from "../transport-error.ts";

/** What client and server prove themselves to each other with. Undefined: what Node trusts, and nothing to show. */
export interface TlsMaterial {
  readonly ca?: string | undefined;
  readonly certificate?: KeyPair | undefined;
}

/** Makes TLS contexts out of certificates that change on disk. */
export class TlsContexts {
  #material: TlsMaterial = {};
  #context: SecureContext | undefined;

  /** The context for this material: the same one as before if it is the same material. */
  contextOf(material: TlsMaterial): SecureContext {
    const { ca, certificate } = material;
    if (this.#context !== undefined && ca === this.#material.ca && certificate === this.#material.certificate) return this.#context;
    try {
      this.#context = createSecureContext({ ca, cert: certificate?.certificate, key: certificate?.key });
    } catch (error) {
      // Of two files that are being replaced one may be new and the other still old: then the pair before is better than none.
      if (this.#context === undefined) throw unusable(material, error);
    }
    this.#material = material;
    return this.#context;
  }
}

/** OpenSSL's message names the problem, and never quotes a key. */
function unusable({ certificate }: TlsMaterial, error: unknown): TransportError {
  const detail = errorMessage(error);
  const what = certificate === undefined ? "certificate authority" : "certificate authority, client certificate or client key";
  return new TransportError("Unauthenticated", `the ${what} cannot be used: ${detail}`, { cause: error });
}
