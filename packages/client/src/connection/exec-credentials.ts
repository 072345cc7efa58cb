import type { Clock } from "@kaji/core";
import type { ExecPlugin } from "./connection.ts";
import type { CredentialSource, Credentials } from "./credential-source.ts";
import { runExecPlugin } from "./exec-plugin.ts";

/** The credentials that a plugin prints, for as long as it says they are good. */
export class ExecCredentials implements CredentialSource {
  readonly #plugin: ExecPlugin;
  readonly #clock: Clock;
  #last: Credentials | undefined;
  /** In wall-clock time, as the plugin says it. */
  #expiresAtMs = Number.POSITIVE_INFINITY;
  /** One run at a time, shared by all requests: the plugin may be asking the user for something. */
  #running: Promise<Credentials> | undefined;

  constructor(plugin: ExecPlugin, clock: Clock) {
    this.#plugin = plugin;
    this.#clock = clock;
  }

  current(): Promise<Credentials> | Credentials {
    if (this.#last !== undefined && this.#clock.now() < this.#expiresAtMs) return this.#last;
    return this.#run();
  }

  async renew(refused: Credentials): Promise<boolean> {
    // If these are no longer the last ones, another request has renewed them already.
    if (this.#last === refused) await this.#run();
    return this.#last !== refused;
  }

  #run(): Promise<Credentials> {
    this.#running ??= this.#runNow().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runNow(): Promise<Credentials> {
    const { token, certificate, expiresAtMs = Number.POSITIVE_INFINITY } = await runExecPlugin(this.#plugin);
    this.#expiresAtMs = expiresAtMs;
    const authorization = token === undefined ? undefined : `Bearer ${token}`;
    const last = this.#last;
    const isSame =
      last !== undefined &&
      last.authorization === authorization &&
      last.certificate?.certificate === certificate?.certificate &&
      last.certificate?.key === certificate?.key;
    if (!isSame) this.#last = { authorization, certificate };
    return this.#last ?? {};
  }
}
