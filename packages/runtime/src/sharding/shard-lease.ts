import type { Lease } from "@kaji/types/coordination/v1";
import { holderOf } from "../election/lease-record.ts";

/**
 * The leases by which replicas share objects, all with the label `kaji.dev/shards-of`.
 *
 * - Layout: says how many shards there are. Whoever joins writes it, so that replicas that disagree never work side by side.
 * - Replica: one for each replica, which renews it. It is never made again: once it is gone, its replica does nothing any more.
 * - Shard: says who holds the shard. It holds for as long as the lease of that replica does, and is not renewed by itself.
 */
export type ShardLease =
  | { readonly type: "Layout"; readonly lease: Lease; readonly count: number }
  /** The identity is empty when the replica has ended in order. */
  | { readonly type: "Replica"; readonly lease: Lease; readonly count: number; readonly identity: string }
  /** The holder is empty when there is none. */
  | { readonly type: "Shard"; readonly lease: Lease; readonly count: number; readonly shard: number; readonly holder: string };

/** The name and the labels of a lease. */
export interface LeaseTitle {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const ofLabel = "kaji.dev/shards-of";
const countLabel = "kaji.dev/shard-count";
const shardLabel = "kaji.dev/shard";
const replicaLabel = "kaji.dev/replica";

/** Selects the leases of an operator. */
export function shardLeaseSelector(operator: string): string {
  return `${ofLabel}=${operator}`;
}

/** Of the lease that says how many shards there are. */
export function layoutTitle(operator: string, count: number): LeaseTitle {
  return { name: `${operator}-shards`, labels: labelsOf(operator, count) };
}

/** Of the lease of one replica. */
export function replicaTitle(operator: string, count: number, id: string): LeaseTitle {
  return { name: `${operator}-replica-${id}`, labels: { ...labelsOf(operator, count), [replicaLabel]: id } };
}

/** Of the lease of one shard. */
export function shardTitle(operator: string, count: number, shard: number): LeaseTitle {
  return { name: `${operator}-shard-${shard}-of-${count}`, labels: { ...labelsOf(operator, count), [shardLabel]: String(shard) } };
}

/** What a lease is for; undefined if it is none of ours. */
export function shardLeaseOf(lease: Lease): ShardLease | undefined {
  const { labels = {} } = lease.metadata;
  const count = Number(labels[countLabel]);
  if (!Number.isSafeInteger(count) || count < 1) return undefined;
  if (labels[replicaLabel] !== undefined) return { type: "Replica", lease, count, identity: holderOf(lease) };
  if (labels[shardLabel] === undefined) return { type: "Layout", lease, count };
  const shard = Number(labels[shardLabel]);
  return Number.isSafeInteger(shard) ? { type: "Shard", lease, count, shard, holder: holderOf(lease) } : undefined;
}

function labelsOf(operator: string, count: number): Readonly<Record<string, string>> {
  return { [ofLabel]: operator, [countLabel]: String(count) };
}
