import type { KubeClient } from "@kaji/client";
import { durationMs, isReason, unlessGone } from "@kaji/core";
import type { ApiError, Clock, Random } from "@kaji/core";
import { authenticationConfigMap, authenticationConfigOf, byRequestHeaders, withAuthenticated } from "@kaji/core/serving";
import type { Credentials, UserInfo } from "@kaji/core/serving";
import { ConfigMap } from "@kaji/types/core/v1";
import { watchObjects } from "../certificates/watch-objects.ts";
import type { Log } from "../log/log.ts";
import { StartupError } from "../manager/startup-error.ts";
import { WakeUp } from "../waiting/wake-up.ts";

/** What is needed to know the front proxy. */
export interface FrontProxyOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log | undefined;
}

const pauseMs = durationMs("10m");
/** After a failure; doubled with every further one, up to a minute or so. */
const firstRetryMs = 1000;

/**
 * Knows the API server by the certificate with which it passes requests on, as a ConfigMap of the cluster says, and believes it, and nobody else, who its clients are. `run` rejects at once when
 * that may not be read at the start; later failures are retried, and what was known stays so.
 */
export class FrontProxy {
  readonly name = "front proxy";
  /** Resolves when it is known whom to believe, be it nobody. */
  readonly ready: Promise<void>;
  readonly #options: FrontProxyOptions;
  readonly #becomeReady: () => void;
  readonly #listeners = new Set<() => void>();
  #isReady = false;
  /** What was read last, as text. */
  #known = "";
  #authority = "";
  #authenticate: (credentials: Credentials) => UserInfo | undefined = () => undefined;

  constructor(options: FrontProxyOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#becomeReady = resolve;
  }

  /** By what its certificate is signed, in PEM; empty: there is no front proxy. */
  get authority(): string {
    return this.#authority;
  }

  /** Calls back whenever that is another one. */
  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Who the client of the front proxy is; undefined if a request is not from it. */
  userOf(credentials: Credentials): UserInfo | undefined {
    const user = this.#authenticate(credentials);
    return user && withAuthenticated(user);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, random } = this.#options;
    const changes = new WakeUp();
    const end = new AbortController();
    const ending = AbortSignal.any([signal, end.signal]);
    const watched = [{ resource: ConfigMap, ...authenticationConfigMap }];
    const watching = watchObjects(client, watched, { clock, random, pauseMs, onChange: changes.wake, signal: ending });
    try {
      for (let failures = 0; !signal.aborted;) {
        failures = (await this.#tryLook(signal)) ? 0 : failures + 1;
        await changes.wait(failures === 0 ? pauseMs : firstRetryMs * 2 ** Math.min(failures - 1, 6), clock, signal);
      }
    } finally {
      end.abort();
      await watching;
    }
  }

  /** False if it failed. */
  async #tryLook(signal: AbortSignal): Promise<boolean> {
    const { client, log } = this.#options;
    try {
      const found = await unlessGone(client.get(ConfigMap, authenticationConfigMap, { signal }));
      this.#take(found?.data ?? {});
      this.#isReady = true;
      this.#becomeReady();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!this.#isReady && isReason(error, "Forbidden", "Unauthorized")) throw refused(error);
      log?.warn({ err: error }, "failed to read by what the API server is known that passes requests on; will retry");
      return false;
    }
  }

  #take(data: Readonly<Record<string, string>>): void {
    const text = JSON.stringify(data);
    if (text === this.#known) return;
    const { requestHeaders } = authenticationConfigOf(data);
    if (requestHeaders === undefined)
      this.#options.log?.warn(
        {},
        "APIs of the operator cannot be reached: this API server passes no requests on, since it has no front proxy",
      );
    this.#authenticate = requestHeaders === undefined ? () => undefined : byRequestHeaders(requestHeaders);
    this.#authority = requestHeaders?.clientCa ?? "";
    this.#known = text;
    for (const listener of [...this.#listeners]) listener();
  }
}

function refused(cause: ApiError): StartupError {
  const { namespace, name } = authenticationConfigMap;
  const remedy = `install the manifests of the operator, or bind it to the Role extension-apiserver-authentication-reader in ${namespace}`;
  return new StartupError(
    `APIs cannot know their clients without the ConfigMap ${namespace}/${name}: ${cause.status.message ?? cause.message}; ${remedy}`,
    { cause },
  );
}
