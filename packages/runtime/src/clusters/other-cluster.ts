import type { ApplyConfiguration, KubeClient, WriteOptions } from "@kaji/client";
import { onAbort } from "@kaji/core";
import type { Clock, KubeObject, Random, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { Informers } from "@kaji/informer";
import type { DeliveredDelta, Informer, InformerFailure, Lister, WatchedKind } from "@kaji/informer";
import { AppliedObjects } from "../writes/applied-objects.ts";
import { withoutAbsent } from "../writes/without-absent.ts";

/** What another cluster is looked at with. */
export interface OtherClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Whose fields what is applied are. */
  readonly fieldManager: string;
  /** Which objects are mirrored. Default: all. */
  readonly labelSelector?: string | undefined;
  /** Is told of each change of what is mirrored that was not made by `apply`. */
  readonly onChange: (delta: DeliveredDelta<KubeObject>) => void;
  readonly onFailure: (failure: InformerFailure) => void;
  readonly onRecovery: (watched: WatchedKind) => void;
}

/** Another cluster, for as long as it is connected: its client, and mirrors of the kinds that were asked for. */
export class OtherCluster {
  readonly name: string;
  /** Talks to it with the rights of its kubeconfig. */
  readonly client: KubeClient;
  readonly #options: OtherClusterOptions;
  readonly #informers: Informers;
  /** The informers that are leased, each once. */
  readonly #mirrors = new Set<object>();
  readonly #applied: AppliedObjects;
  readonly #end = new AbortController();

  constructor(name: string, client: KubeClient, options: OtherClusterOptions) {
    this.name = name;
    this.client = client;
    this.#options = options;
    const { clock, random, fieldManager, onFailure, onRecovery } = options;
    this.#applied = new AppliedObjects(fieldManager);
    this.#informers = new Informers({ source: client.listerWatcher, clock, random, onFailure, onRecovery });
  }

  /** The mirror of a kind, such as one that `client.discovery.resourceOf(manifest)` has found. It is kept from the first call on, and its changes lead to what the source makes of them. */
  mirror<T extends KubeObject>(resource: Resource<T>): Informer<T> {
    const { labelSelector, onChange } = this.#options;
    const lease = this.#informers.acquire(resource, { managedFields: true, ...(labelSelector === undefined ? {} : { labelSelector }) });
    const { informer } = lease;
    if (this.#mirrors.has(informer)) {
      lease[Symbol.dispose]();
      return informer;
    }
    this.#mirrors.add(informer);
    informer.subscribe((delta) => (delta.writer === this ? undefined : onChange(delta)));
    return informer;
  }

  /** What the mirror of a kind has, once it has everything. Rejects when the signal is aborted, as a cluster may never answer, and when the cluster is let go. */
  async lister<T extends KubeObject>(resource: Resource<T>, signal: AbortSignal): Promise<Lister<T>> {
    const { lister, synced } = this.mirror(resource);
    const { promise: over, reject } = Promise.withResolvers<never>();
    using _aborted = onAbort(AbortSignal.any([signal, this.#end.signal]), reject);
    await Promise.race([synced, over]);
    return lister;
  }

  /**
   * Makes an object there be as stated, by server-side apply, whoever has set these fields. Sends nothing if the mirror has it so already, unless the cluster did not answer of late: then it is asked.
   */
  async apply<T extends KubeObject>(
    resource: Resource<T>,
    wanted: ApplyConfiguration<T>,
    options: Pick<WriteOptions, "signal"> = {},
  ): Promise<DeepReadonly<T>> {
    const { fieldManager } = this.#options;
    const mirror = this.mirror(resource);
    const config = withoutAbsent(wanted);
    const known = mirror.state.type === "Synced" ? mirror.lister.get(config.metadata) : undefined;
    if (known !== undefined && this.#applied.isApplied(config, known)) return known;
    using _write = mirror.beginWrite(config.metadata);
    const written = await this.client.apply(resource, config, { ...options, fieldManager, force: true });
    mirror.observeWrite(written, { writer: this });
    this.#applied.settle(config, written);
    return written as DeepReadonly<T>;
  }

  /** Mirrors until it is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#informers.run(signal);
    } finally {
      this.#end.abort(signal.reason);
    }
  }
}
