import { sleepUnlessAborted } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { createAuthority, issueServing } from "./certificate-authority.ts";
import { ReplacedCertificate } from "./certificate-source.ts";

const dayMs = 86_400_000;
const lifetimeMs = 90 * dayMs;

/** Made of what a certificate is for, and of time and chance. */
export interface SelfSignedOptions {
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * A certificate that nobody vouches for: what is sent cannot be read on the way, but who asks does not know whom. It is made at the start and again after two thirds of its life, with another key, and never
 * stored.
 */
export class SelfSignedCertificate extends ReplacedCertificate {
  readonly #options: SelfSignedOptions;

  constructor(options: SelfSignedOptions) {
    super();
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { names, clock, random } = this.#options;
    const issuing = { clock, random, lifetimeMs };
    while (!signal.aborted) {
      const authority = createAuthority("self-signed", issuing);
      this.replace(issueServing(authority, names, issuing));
      await sleepUnlessAborted(clock, (lifetimeMs * 2) / 3, signal);
    }
  }
}
