import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { durationMs, errorMessage, systemClock } from "@kaji/core";
import type { Clock, DurationLike } from "@kaji/core";
import type { Log } from "../log/log.ts";
import { isPair } from "./certificate.ts";
import { ReplacedCertificate } from "./certificate-source.ts";
import { WakeUp } from "../waiting/wake-up.ts";

/** Where the files are, such as those of a Secret that cert-manager looks after. */
export interface CertificateFilesOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** How often the files are read, beside the watch of their folders. Default 10 s. */
  readonly recheck?: DurationLike | undefined;
}

/** A certificate in files that another program replaces. A certificate and key that do not match, as during a replacement, are read again later. */
export class CertificateFiles extends ReplacedCertificate {
  readonly name = "certificate files";
  /** Resolves when there is a certificate. */
  readonly ready: Promise<void>;
  readonly #options: CertificateFilesOptions;
  readonly #becomeReady: () => void;
  /** The problem of the last read: each is logged once. */
  #problem = "";

  constructor(options: CertificateFilesOptions) {
    super();
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#becomeReady = resolve;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, recheck = "10s" } = this.#options;
    const changes = new WakeUp();
    while (!signal.aborted) {
      // Watched before they are read, so that no change is missed in between.
      using _watcher = this.#watch(changes.wake);
      await this.#look();
      await changes.wait(durationMs(recheck), clock, signal);
    }
  }

  async #look(): Promise<void> {
    const { certFile, keyFile, log } = this.#options;
    try {
      const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
      if (!isPair({ cert, key })) throw new TypeError(`${keyFile} is not the key of the certificate in ${certFile}`);
      this.#problem = "";
      this.replace({ cert, key });
      this.#becomeReady();
    } catch (error) {
      const problem = errorMessage(error);
      if (problem !== this.#problem) log?.warn({ certFile, problem }, "a certificate cannot be read; will retry");
      this.#problem = problem;
    }
  }

  /** The folders are watched, not the files: those of a mounted Secret are links that are replaced with all else in the folder. */
  #watch(onChange: () => void): Disposable {
    const { certFile, keyFile } = this.#options;
    const stack = new DisposableStack();
    for (const folder of new Set([dirname(certFile), dirname(keyFile)])) {
      try {
        const watcher = watch(folder, { persistent: false }, onChange);
        watcher.on("error", onChange);
        stack.defer(() => watcher.close());
      } catch {
        // A folder that does not exist yet is tried again at the next recheck.
      }
    }
    return stack;
  }
}
