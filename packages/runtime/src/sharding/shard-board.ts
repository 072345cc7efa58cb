import { compareResourceVersions } from "@kaji/core";
import type { Lease } from "@kaji/types/coordination/v1";
import { durationMsOf, holderOf, isSameRecord } from "../election/lease-record.ts";
import { shardLeaseOf } from "./shard-lease.ts";
import type { ShardLease } from "./shard-lease.ts";
import type { LeaseSnapshot } from "./shard-lease-store.ts";

/** A replica whose lease the server has. */
export interface SeenReplica {
  readonly lease: Lease;
  readonly count: number;
  /** Empty when it has ended in order. */
  readonly identity: string;
  /** From then on it counts as dead, unless it renews its lease. */
  readonly deadMs: number;
}

/** A shard whose lease the server has. */
export interface SeenShard {
  readonly lease: Lease;
  readonly count: number;
  readonly shard: number;
  /** Empty when there is none. */
  readonly holder: string;
  /** From then on it may be taken: never while the lease of its holder is there. */
  readonly freeMs: number;
}

/** How things stand, by what the server has shown and answered. */
export interface ShardView {
  readonly layout: { readonly lease: Lease; readonly count: number } | undefined;
  readonly replicas: readonly SeenReplica[];
  readonly shards: readonly SeenShard[];
}

/**
 * What this replica knows of the leases of all. Times are of its own monotonic clock: times that others wrote into leases are never compared with it.
 *
 * A replica whose lease is gone is dead only when its time is over too, since it may not know yet.
 */
export class ShardBoard {
  #snapshot: LeaseSnapshot = { leases: [], version: "0" };
  /** What the server answered to our own writes, by name: the snapshot may be older. */
  readonly #written = new Map<string, Lease>();
  /** By identity, the lease of a replica or, where there was none, of one of its shards, and until when it may be at work. */
  #sightings: ReadonlyMap<string, { readonly lease: Lease; readonly untilMs: number }> = new Map();
  #leases: readonly ShardLease[] = [];
  #changes = 0;

  /** Grows with each change that is more than a renewal. */
  get changes(): number {
    return this.#changes;
  }

  /** The server has shown all leases. */
  show(snapshot: LeaseSnapshot, nowMs: number): void {
    this.#snapshot = snapshot;
    this.#note(nowMs);
  }

  /** The server has stored a write of ours. */
  wrote(lease: Lease, nowMs: number): void {
    this.#written.set(lease.metadata.name, lease);
    this.#note(nowMs);
  }

  get view(): ShardView {
    const leases = this.#leases;
    const present = new Set(leases.map((each) => (each.type === "Replica" ? each.identity : "")));
    const untilMs = (identity: string): number => this.#sightings.get(identity)?.untilMs ?? 0;
    const freeMs = (holder: string): number => (holder === "" ? 0 : present.has(holder) ? Infinity : untilMs(holder));
    return {
      layout: leases.find((each) => each.type === "Layout"),
      replicas: leases.filter((each) => each.type === "Replica").map((each) => ({ ...each, deadMs: untilMs(each.identity) })),
      shards: leases.filter((each) => each.type === "Shard").map((each) => ({ ...each, freeMs: freeMs(each.holder) })),
    };
  }

  #note(nowMs: number): void {
    const before = this.#leases;
    const leases = this.#merged();
    this.#leases = leases;
    const isNews = before.length !== leases.length || before.some((each, index) => !isRenewal(each, leases[index]));
    if (isNews) this.#changes++;
    const sightings = new Map<string, { readonly lease: Lease; readonly untilMs: number }>();
    for (const each of leases) {
      if (each.type !== "Replica" || each.identity === "") continue;
      const known = this.#sightings.get(each.identity);
      const isKnown = known !== undefined && isSameRecord(known.lease, each.lease);
      sightings.set(each.identity, isKnown ? known : { lease: each.lease, untilMs: nowMs + durationMsOf(each.lease) });
    }
    for (const each of leases) {
      if (each.type !== "Shard" || each.holder === "" || sightings.has(each.holder)) continue;
      const known = this.#sightings.get(each.holder);
      sightings.set(each.holder, known ?? { lease: each.lease, untilMs: nowMs + durationMsOf(each.lease) });
    }
    this.#sightings = sightings;
  }

  #merged(): readonly ShardLease[] {
    const leases = new Map(this.#snapshot.leases.map((lease) => [lease.metadata.name, lease]));
    for (const [name, lease] of this.#written) {
      const shownAt = leases.get(name)?.metadata.resourceVersion ?? this.#snapshot.version;
      if (isNewer(lease.metadata.resourceVersion, shownAt)) leases.set(name, lease);
    }
    return [...leases.values()].map(shardLeaseOf).filter((each) => each !== undefined);
  }
}

/** Whether nothing but times differ. */
function isRenewal(before: ShardLease, after: ShardLease | undefined): boolean {
  const [left, right] = [before.lease, after?.lease];
  return (
    left === right ||
    (left.metadata.uid === right?.metadata.uid &&
      left.metadata.name === right?.metadata.name &&
      before.count === after?.count &&
      holderOf(left) === holderOf(right))
  );
}

function isNewer(version: string | undefined, than: string): boolean {
  return compareResourceVersions(version ?? "0", than) > 0;
}
