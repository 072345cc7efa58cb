import type { KubeClient } from "@kaji/client";
import { sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { ReplicaSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";

const namespace = "default";
const labels = { app: "pulse" };
const pauseMs = 50;

/**
 * The pace of a control plane: a beat is that controllers have replaced a pod which was deleted, and the scheduler has bound the new one. Where a busy machine slows them down, or stops
 * one of them for a while, the beats are as slow.
 */
export class Pulse implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #beating: Promise<void>;
  #beats = 0;
  #failure: { readonly error: unknown } | undefined;

  private constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#beating = this.#beat().catch((error: unknown) => void (this.#failure = { error }));
  }

  /** Makes the ReplicaSet whose pod is replaced. */
  static async start(client: KubeClient, clock: Clock): Promise<Pulse> {
    const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "main" }] } };
    await client.create(ReplicaSet, {
      metadata: { name: labels.app, namespace },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    return new Pulse(client, clock);
  }

  /** How many there have been. */
  get beats(): number {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#beats;
  }

  async #beat(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const { items } = await this.#client.list(Pod, { namespace, labelSelector: `app=${labels.app}` });
      for (const { metadata } of items.filter(({ spec }) => spec?.nodeName !== undefined)) {
        await this.#client.delete(Pod, { namespace, name: metadata.name }, { gracePeriodSeconds: 0 });
        this.#beats++;
      }
      await sleepUnlessAborted(this.#clock, pauseMs, this.#end.signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#beating;
  }
}
