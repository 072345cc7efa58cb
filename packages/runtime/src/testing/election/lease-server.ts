import { alreadyExists, conflict } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import type { LeaseSpec } from "@kaji/types/coordination/v1";
import type { LeaseStore } from "../../election/lease-store.ts";
import { Broadcast } from "./broadcast.ts";
import { Wire } from "./network.ts";
import type { Network } from "./network.ts";

/** One lease in memory, with the rules of an API server. */
export class LeaseServer {
  lease: Lease | undefined;
  #version = 0;
  readonly #changes = new Broadcast<Lease | undefined>();

  /** The lease as a candidate reaches it, over a network of its own. */
  store(network: Network, clock: Clock, random: Random): LeaseStore {
    const wire = new Wire(network, clock, random);
    return {
      get: (signal) => wire.exchange(() => this.lease, signal),
      create: (spec, signal) => wire.exchange(() => this.#create(spec), signal),
      update: (lease, spec, signal) => wire.exchange(() => this.#update(lease, spec), signal),
      watch: (signal) => this.#watch(wire, signal),
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
    this.#changes.send(this.lease);
    return this.lease;
  }

  async *#watch(wire: Wire, signal: AbortSignal): AsyncGenerator<Lease | undefined> {
    await wire.travel(signal);
    for await (const lease of this.#changes.listen(this.lease === undefined ? [] : [this.lease], signal)) {
      await wire.travel(signal);
      yield lease;
    }
  }
}
