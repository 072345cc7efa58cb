import { alreadyExists, conflict } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import type { LeaseSpec } from "@kaji/types/coordination/v1";
import type { LeaseStore } from "../../election/lease-store.ts";

/** How the network between a candidate and the server is. It may change at any time. */
export interface Network {
  /** How long a message takes one way, at most. */
  delayMs: number;
  /** How likely it is that a message is lost. */
  loss: number;
}

/** One lease in memory, with the rules of an API server. */
export class LeaseServer {
  lease: Lease | undefined;
  #version = 0;
  readonly #watchers = new Set<(lease: Lease | undefined) => void>();

  /** The lease as a candidate reaches it, over a network of its own. */
  store(network: Network, clock: Clock, random: Random): LeaseStore {
    // Undefined: it is there at once.
    const travel = (signal: AbortSignal): Promise<void> | undefined => {
      const isLost = random.next() < network.loss;
      signal.throwIfAborted();
      if (!isLost && network.delayMs === 0) return undefined;
      return clock.sleep(isLost ? 1e9 : random.next() * network.delayMs, signal);
    };
    const exchange = async <T>(answer: () => T, signal: AbortSignal): Promise<T> => {
      const there = travel(signal);
      if (there !== undefined) await there;
      const result = attempt(answer);
      const back = travel(signal);
      if (back !== undefined) await back;
      return result();
    };
    return {
      get: (signal) => exchange(() => this.lease, signal),
      create: (spec, signal) => exchange(() => this.#create(spec), signal),
      update: (lease, spec, signal) => exchange(() => this.#update(lease, spec), signal),
      watch: (signal) => this.#watch(travel, signal),
    };
  }

  delete(): void {
    this.#store(undefined);
  }

  /** Another client changes something else of the lease, such as a label. */
  touch(): void {
    if (this.lease?.spec !== undefined) this.#store(this.lease.spec);
  }

  #create(spec: LeaseSpec): Lease {
    if (this.lease !== undefined) throw alreadyExists(Lease, "lease");
    return this.#store(spec);
  }

  #update(lease: Lease, spec: LeaseSpec): Lease {
    if (this.lease?.metadata.resourceVersion !== lease.metadata.resourceVersion) throw conflict(Lease, "lease", "it was modified");
    return this.#store(spec);
  }

  #store(spec: LeaseSpec): Lease;
  #store(spec: undefined): undefined;
  #store(spec: LeaseSpec | undefined): Lease | undefined {
    const metadata = { namespace: "default", name: "lease", resourceVersion: String(++this.#version) };
    this.lease = spec === undefined ? undefined : { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
    for (const watcher of this.#watchers) watcher(this.lease);
    return this.lease;
  }

  async *#watch(travel: (signal: AbortSignal) => Promise<void> | undefined, signal: AbortSignal): AsyncGenerator<Lease | undefined> {
    await travel(signal);
    const queue: (Lease | undefined)[] = this.lease === undefined ? [] : [this.lease];
    let wake = (): void => {};
    const watcher = (lease: Lease | undefined): void => {
      queue.push(lease);
      wake();
    };
    const onAbort = (): void => wake();
    this.#watchers.add(watcher);
    signal.addEventListener("abort", onAbort);
    try {
      for (;;) {
        signal.throwIfAborted();
        if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        signal.throwIfAborted();
        await travel(signal);
        yield queue.shift();
      }
    } finally {
      this.#watchers.delete(watcher);
      signal.removeEventListener("abort", onAbort);
    }
  }
}

function attempt<T>(answer: () => T): () => T {
  try {
    const value = answer();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
