import type { KubeClient } from "@kaji/client";
import { unlessGone } from "@kaji/core";
import { Lease } from "@kaji/types/coordination/v1";
import type { LeaseSpec } from "@kaji/types/coordination/v1";
import { shardLeaseSelector } from "./shard-lease.ts";
import type { LeaseTitle } from "./shard-lease.ts";

/** All leases of an operator at one version of the server. */
export interface LeaseSnapshot {
  readonly leases: readonly Lease[];
  readonly version: string;
}

/** The leases by which the replicas of one operator share objects. What an API server refuses is an `ApiError`; any other error leaves open what has happened. */
export interface ShardLeaseStore {
  /** The operator whose leases they are. */
  readonly operator: string;
  /** Undefined when there is none. */
  get(name: string, signal: AbortSignal): Promise<Lease | undefined>;
  create(title: LeaseTitle, spec: LeaseSpec, signal: AbortSignal): Promise<Lease>;
  /** Refused with a Conflict unless the lease is still the one that was read. */
  update(lease: Lease, title: LeaseTitle, spec: LeaseSpec, signal: AbortSignal): Promise<Lease>;
  /** Refused with a Conflict unless the lease is still the one that was read. */
  delete(lease: Lease, signal: AbortSignal): Promise<void>;
  /** All leases as they are, then again each time one changes. Ends when the server ends it. */
  watch(signal: AbortSignal): AsyncIterable<LeaseSnapshot>;
}

/** What a replica must be allowed to do with leases in their namespace. Their names are not known beforehand. */
export const shardLeaseVerbs: readonly string[] = ["get", "list", "watch", "create", "update", "delete"];

/** The leases of an operator in a namespace of an API server. */
export function shardLeaseStore(client: KubeClient, namespace: string, operator: string): ShardLeaseStore {
  return {
    operator,
    get: (name, signal) => unlessGone(client.get(Lease, { namespace, name }, { signal })),
    create: (title, spec, signal) => client.create(Lease, { metadata: { namespace, ...title }, spec }, { signal }),
    update: (lease, { labels }, spec, signal) =>
      client.update(
        Lease,
        { ...lease, metadata: { ...lease.metadata, labels: { ...lease.metadata.labels, ...labels } }, spec },
        { signal },
      ),
    async delete({ metadata: { name, uid, resourceVersion } }, signal) {
      await client.delete(Lease, { namespace, name }, { preconditions: { uid, resourceVersion }, signal });
    },
    async *watch(signal) {
      const selection = { namespace, labelSelector: shardLeaseSelector(operator), signal };
      const { items, metadata } = await client.list(Lease, selection);
      const leases = new Map(items.map((lease) => [lease.metadata.name, lease]));
      const { resourceVersion = "0" } = metadata;
      yield { leases: [...leases.values()], version: resourceVersion };
      for await (const event of client.watch(Lease, { ...selection, resourceVersion })) {
        if (event.type === "BOOKMARK") continue;
        const { name, resourceVersion: version = "0" } = event.object.metadata;
        if (event.type === "DELETED") leases.delete(name);
        else leases.set(name, event.object);
        yield { leases: [...leases.values()], version };
      }
    },
  };
}
