import { alreadyExists, conflict, formatTime, notFound } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import type { LeaseSpec } from "@kaji/types/coordination/v1";
import type { LeaseTitle } from "../../sharding/shard-lease.ts";
import type { LeaseSnapshot, ShardLeaseStore } from "../../sharding/shard-lease-store.ts";
import { Broadcast } from "../election/broadcast.ts";
import { Wire } from "../election/network.ts";
import type { Network } from "../election/network.ts";

/** The network of a replica. */
export interface ReplicaNetwork extends Network {
  /** Whether watches and lists stand still, while all else works. */
  isDeaf: boolean;
}

/** The leases of one operator in memory, with the rules of an API server. */
export class ShardLeaseServer {
  readonly #clock: Clock;
  readonly #leases = new Map<string, Lease>();
  readonly #changes = new Broadcast<LeaseSnapshot>();
  #version = 0;
  /** How many writes were stored. */
  writes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** All leases, by name. */
  get leases(): ReadonlyMap<string, Lease> {
    return this.#leases;
  }

  /** The leases as a replica reaches them, over a network of its own. */
  store(network: ReplicaNetwork, clock: Clock, random: Random): ShardLeaseStore {
    const wire = new Wire(network, clock, random);
    return {
      operator: "keeper",
      get: (name, signal) => wire.exchange(() => this.#leases.get(name), signal),
      create: (title, spec, signal) => wire.exchange(() => this.#create(title, spec), signal),
      update: (lease, title, spec, signal) => wire.exchange(() => this.#update(lease, title, spec), signal),
      delete: (lease, signal) => wire.exchange(() => this.#remove(lease), signal),
      watch: (signal) => this.#watch({ wire, network, clock }, signal),
    };
  }

  /** Somebody deletes a lease. */
  delete(name: string): void {
    this.#leases.delete(name);
    this.#changed();
  }

  #create(title: LeaseTitle, spec: LeaseSpec): Lease {
    if (this.#leases.has(title.name)) throw alreadyExists(Lease, title.name);
    return this.#store(title, spec, formatTime(this.#clock.now()));
  }

  #update({ metadata }: Lease, title: LeaseTitle, spec: LeaseSpec): Lease {
    const { creationTimestamp = "" } = this.#current(metadata).metadata;
    return this.#store(title, spec, creationTimestamp);
  }

  #remove({ metadata }: Lease): void {
    this.#current(metadata);
    this.delete(metadata.name);
  }

  #current({ name, resourceVersion }: Lease["metadata"]): Lease {
    const lease = this.#leases.get(name);
    if (lease === undefined) throw notFound(Lease, name);
    if (lease.metadata.resourceVersion !== resourceVersion) throw conflict(Lease, name, "it was modified");
    return lease;
  }

  #store({ name, labels }: LeaseTitle, spec: LeaseSpec, creationTimestamp: string): Lease {
    const metadata = { namespace: "default", name, labels, creationTimestamp, resourceVersion: String(this.#version + 1) };
    const lease: Lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
    this.#leases.set(name, lease);
    this.#changed();
    return lease;
  }

  #changed(): void {
    this.#version++;
    this.writes++;
    this.#changes.send(this.#snapshot);
  }

  async *#watch({ wire, network, clock }: Hearing, signal: AbortSignal): AsyncGenerator<LeaseSnapshot> {
    await wire.travel(signal);
    for await (const snapshot of this.#changes.listen([this.#snapshot], signal)) {
      await wire.travel(signal);
      while (network.isDeaf) await clock.sleep(250, signal);
      yield snapshot;
    }
  }

  get #snapshot(): LeaseSnapshot {
    return { leases: [...this.#leases.values()], version: String(this.#version) };
  }
}

/** How a replica hears of changes. */
interface Hearing {
  readonly wire: Wire;
  readonly network: ReplicaNetwork;
  readonly clock: Clock;
}
