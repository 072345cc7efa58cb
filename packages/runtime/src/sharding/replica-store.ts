import { aborted } from "@kaji/core";
import type { Lease } from "@kaji/types/coordination/v1";
import type { LeaseStore } from "../election/lease-store.ts";
import type { LeaseTitle } from "./shard-lease.ts";
import type { ShardLeaseStore } from "./shard-lease-store.ts";

/** What a replica does with its own lease. */
export interface ReplicaStoreOptions {
  /** Whether it may hold shards: when others have deleted its lease they take them, so that it must not come back. */
  readonly mayHold: () => boolean;
  /** Is told each version of it that the server has stored. */
  readonly onStored: (lease: Lease) => void;
}

/** The lease of this replica itself, which it holds as a leader holds its own. */
export function replicaStore(store: ShardLeaseStore, title: LeaseTitle, { mayHold, onStored }: ReplicaStoreOptions): LeaseStore {
  const stored = (lease: Lease): Lease => {
    onStored(lease);
    return lease;
  };
  return {
    async get(signal) {
      const lease = await store.get(title.name, signal);
      return lease === undefined ? undefined : stored(lease);
    },
    async create(spec, signal) {
      if (mayHold()) throw new Error("the lease of this replica was deleted: other replicas take its shards");
      return stored(await store.create(title, spec, signal));
    },
    update: async (lease, spec, signal) => stored(await store.update(lease, title, spec, signal)),
    // Nobody else takes it, so that there is nothing to wait for.
    async *watch(signal) {
      await aborted(signal);
      yield undefined;
    },
  };
}
