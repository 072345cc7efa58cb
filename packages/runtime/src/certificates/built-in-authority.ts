import { durationMs, isReason, sleepUnlessAborted, systemClock, systemRandom } from "@kaji/core";
import type { Clock, DurationLike, Random } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { Secret } from "@kaji/types/core/v1";
import type { Log } from "../log/log.ts";
import { bundleHolders } from "./ca-bundle.ts";
import type { BundleHolder, BundleHolders } from "./ca-bundle.ts";
import { ReplacedCertificate } from "./certificate-source.ts";
import { keysSecret } from "./keys-secret.ts";
import type { KeysSecret, StoredKeys } from "./keys-secret.ts";
import { bundleOf, nextDueMs, rotate } from "./rotation.ts";
import type { RotationOptions, WebhookKeys } from "./rotation.ts";
import { tokenBucket } from "../queue/rate-limiter.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import { WakeUp } from "../waiting/wake-up.ts";
import { watchObjects } from "./watch-objects.ts";

/** What an authority of our own works with. */
export interface BuiltInAuthorityOptions {
  readonly client: KubeClient;
  /** The namespace of the operator. */
  readonly namespace: string;
  /** The Secret that the replicas share. Other fields in it are left alone. */
  readonly secretName: string;
  /** Host names and IP addresses by which API servers call the webhooks. */
  readonly names: readonly string[];
  /** The objects in which API servers find the CA bundle. */
  readonly holders: BundleHolders;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly log?: Log | undefined;
  /** How long an authority is valid. Default a year. It is replaced after two thirds of it. */
  readonly authorityLifetime?: DurationLike | undefined;
  /** How long a certificate of a server is valid. Default 90 days. It is replaced after two thirds of it. */
  readonly certificateLifetime?: DurationLike | undefined;
  /** How long a new authority is trusted everywhere before it signs anything. Default an hour. */
  readonly overlap?: DurationLike | undefined;
  /** How often everything is checked, beside the watches that notice changes by other clients at once. Default 10 minutes. */
  readonly recheck?: DurationLike | undefined;
}

/** After a failure; doubled with every further one, up to a minute or so. */
const firstRetryMs = 1000;

/** What another client changes is restored at once, but not at the speed of a client that changes it back each time. */
const restoring = { perSecond: 0.1, burst: 5 };

/** A conflict means that another replica made progress; so many in a row mean that two writers undo each other's work. */
const mostAttempts = 20;

type UsableKeys = StoredKeys & { readonly keys: WebhookKeys };

/**
 * Makes the certificates of the webhooks, shares them among replicas, rotates them in time, and publishes the CA bundle to API servers.
 * `run` rejects at once when permissions are missing at the start; later failures are retried.
 */
export class BuiltInAuthority extends ReplacedCertificate {
  readonly name = "webhook certificates";
  /** Resolves when there is a certificate, and every existing webhook configuration and definition has its CA bundle. */
  readonly ready: Promise<void>;
  readonly #options: BuiltInAuthorityOptions;
  readonly #rotation: RotationOptions;
  readonly #secret: KeysSecret;
  readonly #holders: readonly BundleHolder[];
  readonly #becomeReady: () => void;
  #isReady = false;
  /** Holders that were absent at the last check: each is logged once. */
  readonly #missed = new Set<BundleHolder>();
  readonly #restores: RateLimiter<BundleHolder>;
  /** How long another client is to be spared that undoes what is published; 0 if there is none. */
  #spareMs = 0;
  /** Whether that has been told. */
  #isToldOfOther = false;

  constructor(options: BuiltInAuthorityOptions) {
    super();
    const { client, namespace, secretName, names, clock = systemClock, random = systemRandom } = options;
    if (names.length === 0) throw new TypeError("the webhook certificate needs at least one name");
    this.#options = options;
    this.#rotation = {
      clock,
      random,
      names,
      authorityLifetimeMs: durationMs(options.authorityLifetime ?? "8760h"),
      certificateLifetimeMs: durationMs(options.certificateLifetime ?? "2160h"),
      overlapMs: durationMs(options.overlap ?? "1h"),
    };
    this.#restores = tokenBucket(clock, restoring);
    this.#secret = keysSecret(client, namespace, secretName);
    this.#holders = bundleHolders(options.holders);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#becomeReady = resolve;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { client, namespace, secretName, recheck = "10m" } = this.#options;
    const { clock, random } = this.#rotation;
    const pauseMs = durationMs(recheck);
    const changes = new WakeUp();
    const watched = [...this.#holders, { resource: Secret, name: secretName, namespace }];
    const end = new AbortController();
    const ending = AbortSignal.any([signal, end.signal]);
    const watching = watchObjects(client, watched, { clock, random, pauseMs, onChange: changes.wake, signal: ending });
    try {
      for (let failures = 0; !signal.aborted;) {
        const keys = await this.#tryLook(signal);
        failures = keys === undefined ? failures + 1 : 0;
        const restMs = keys === undefined ? firstRetryMs * 2 ** Math.min(failures - 1, 6) : nextDueMs(keys, this.#rotation) - clock.now();
        await this.#spare(signal);
        await changes.wait(Math.min(pauseMs, restMs), clock, signal);
      }
    } finally {
      end.abort();
      await watching;
    }
  }

  /** Gives way to another client that undoes what is published, again and again. */
  async #spare(signal: AbortSignal): Promise<void> {
    const [spareMs, isTold] = [this.#spareMs, this.#isToldOfOther];
    this.#spareMs = 0;
    this.#isToldOfOther = spareMs > 0;
    if (spareMs === 0) return;
    if (!isTold) this.#options.log?.warn({}, "another client keeps changing the authority of webhooks; it is restored every 10 s");
    await sleepUnlessAborted(this.#rotation.clock, spareMs, signal);
  }

  /** Rotates and publishes. Undefined if it failed. */
  async #tryLook(signal: AbortSignal): Promise<WebhookKeys | undefined> {
    try {
      const keys = await this.#look(signal);
      this.#isReady = true;
      this.#becomeReady();
      return keys;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!this.#isReady && isReason(error, "Forbidden", "Unauthorized")) throw error;
      this.#options.log?.warn(
        { err: error },
        "failed to renew the certificates of webhooks, or to tell the API server of them; will retry",
      );
      return undefined;
    }
  }

  /** Rotates what is due and publishes the CA bundle. When another replica was faster, its keys are used. */
  async #look(signal: AbortSignal): Promise<WebhookKeys> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const stored = await this.#advance(await this.#secret.read(signal), false, signal);
      if (stored === undefined || !(await this.#publish(bundleOf(stored.keys), signal))) continue;
      // The bundle is published everywhere, so that a new authority is trusted from now on.
      const final = await this.#advance(stored, true, signal);
      if (final !== undefined) return final.keys;
    }
    throw new Error(`conflict on the webhook Secret or a CA bundle ${mostAttempts} times in a row`);
  }

  /** Rotates and stores what is due. Undefined if another client has written the Secret meanwhile. */
  async #advance(stored: StoredKeys, isTrusted: boolean, signal: AbortSignal): Promise<UsableKeys | undefined> {
    const keys = rotate(stored.keys, isTrusted, this.#rotation);
    const written = keys === stored.keys ? stored : await this.#secret.write(keys, stored, signal);
    if (written === undefined) return undefined;
    this.replace(keys.serving);
    return { ...written, keys };
  }

  /** Publishes the CA bundle to all holders. False if another client has written one meanwhile, perhaps a replica with newer keys. */
  async #publish(bundle: string, signal: AbortSignal): Promise<boolean> {
    for (const holder of this.#holders) {
      const outcome = await holder.publish(this.#options.client, bundle, signal);
      if (outcome === "Conflict") return false;
      const fields = { kind: holder.resource.kind, object: holder.name };
      if (outcome === "Changed") {
        this.#options.log?.info(fields, "webhooks can be called: the API server knows their authority now");
        this.#spareMs = this.#restores.delayMs(holder);
      }
      if (outcome !== "Absent") this.#missed.delete(holder);
      else if (!this.#missed.has(holder)) {
        this.#missed.add(holder);
        this.#options.log?.warn(
          fields,
          "webhooks are not called: the API server has no such configuration; install the manifests of the operator to have them called",
        );
      }
    }
    return true;
  }
}
