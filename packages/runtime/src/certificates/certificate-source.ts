import { onAbort } from "@kaji/core";
import type { Certificate } from "./certificate.ts";

/** Where a server has its certificate from: files that another program replaces, or the built-in authority. */
export interface CertificateSource {
  /** Absent until there is one. */
  readonly current: Certificate | undefined;
  /** Calls back whenever there is another one, from now on. */
  subscribe(listener: (certificate: Certificate) => void): Disposable;
}

/** A certificate that is replaced now and then. */
export class ReplacedCertificate implements CertificateSource {
  #current: Certificate | undefined;
  readonly #listeners = new Set<(certificate: Certificate) => void>();

  get current(): Certificate | undefined {
    return this.#current;
  }

  subscribe(listener: (certificate: Certificate) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Notifies all subscribers, unless it is the same as before. */
  replace(certificate: Certificate): void {
    if (this.#current?.cert === certificate.cert && this.#current.key === certificate.key) return;
    this.#current = certificate;
    for (const listener of [...this.#listeners]) listener(certificate);
  }
}

/** The certificate of a source, as soon as there is one; undefined if it is aborted before. */
export async function firstCertificate(source: CertificateSource, signal: AbortSignal): Promise<Certificate | undefined> {
  if (signal.aborted) return undefined;
  if (source.current !== undefined) return source.current;
  const { promise, resolve } = Promise.withResolvers<Certificate | undefined>();
  using _subscription = source.subscribe(resolve);
  using _abort = onAbort(signal, () => resolve(undefined));
  return await promise;
}
