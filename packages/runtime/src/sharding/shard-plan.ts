import type { Lease } from "@kaji/types/coordination/v1";
import type { SeenReplica, ShardView } from "./shard-board.ts";

/** This replica, as far as it matters for what it does next. */
export interface Sharer {
  readonly identity: string;
  readonly count: number;
  readonly hasJoined: boolean;
  /** All shards that it holds, also those that it is giving up. */
  readonly held: ReadonlySet<number>;
  /** Those that it is not giving up, with how many reconciles are under way in each: infinitely many if it is of no use to give it up now. */
  readonly open: ReadonlyMap<number, number>;
}

/** Something to do. */
export type ShardMove =
  /** Takes part from now on, if the layout is still the same one; undefined is one that has to be created. */
  | { readonly type: "Join"; readonly layout: Lease | undefined }
  /** Deletes the lease of a replica that is dead or has ended, if it is still the same one: from then on that replica cannot come back. */
  | { readonly type: "Bury"; readonly lease: Lease }
  /** Takes a shard, if its lease is still the same one; undefined is one that has to be created. */
  | { readonly type: "Claim"; readonly shard: number; readonly lease: Lease | undefined }
  /** Gives a shard up, after its reconciles have ended. */
  | { readonly type: "Shed"; readonly shard: number }
  /** Stops work on a shard that another replica holds. */
  | { readonly type: "Lose"; readonly shard: number };

/** What to do now, and when to think again if nothing changes until then. */
export interface ShardPlan {
  readonly moves: readonly ShardMove[];
  readonly untilMs: number;
  /** How many replicas share the shards. */
  readonly replicas: number;
}

/** What a replica does next: the whole of the rules of sharing. */
export function planShards(view: ShardView, me: Sharer, nowMs: number): ShardPlan {
  const others = view.replicas.filter(({ identity }) => identity !== me.identity);
  const isOver = ({ identity, deadMs }: SeenReplica): boolean => identity === "" || deadMs <= nowMs;
  const burials = others.filter(isOver).map(({ lease }): ShardMove => ({ type: "Bury", lease }));
  const untilMs = Math.min(
    ...[...others.map(({ deadMs }) => deadMs), ...view.shards.map(({ freeMs }) => freeMs)].filter((ms) => ms > nowMs),
  );
  if (!me.hasJoined) return { moves: [...burials, ...joining(view, me, nowMs)], untilMs, replicas: 0 };
  const mine = view.replicas.find(({ identity }) => identity === me.identity);
  const sharers = [...others.filter((other) => other.count === me.count && !isOver(other)), ...(mine === undefined ? [] : [mine])];
  const moves = [...burials, ...losses(view, me), ...sharing(view, me, sharers.toSorted(byAge), nowMs)];
  return { moves, untilMs, replicas: sharers.length };
}

/** With the same number of shards as all others at once; with another, when none of those is left, nor can be at work any more. */
function joining({ layout, replicas, shards }: ShardView, { count }: Sharer, nowMs: number): readonly ShardMove[] {
  const isForeign =
    replicas.some((replica) => replica.count !== count && replica.identity !== "") ||
    shards.some((shard) => shard.count !== count && shard.freeMs > nowMs);
  return layout?.count !== count && isForeign ? [] : [{ type: "Join", layout: layout?.lease }];
}

/** Leases are not deleted or changed by hand. Should it happen all the same, the server is right. */
function losses({ shards }: ShardView, { identity, count, held }: Sharer): readonly ShardMove[] {
  const own = new Set(shards.filter((each) => each.count === count && each.holder === identity).map(({ shard }) => shard));
  return [...held].filter((shard) => !own.has(shard)).map((shard) => ({ type: "Lose", shard }));
}

/**
 * Each replica has its share: of seven shards three replicas have 3, 2 and 2, the eldest the most, so that a newcomer moves as few as possible. Who has too many gives up the least busy; who has too few takes what is
 * free, each its own part of it, so that they do not get into each other's way.
 */
function sharing(view: ShardView, me: Sharer, sharers: readonly SeenReplica[], nowMs: number): readonly ShardMove[] {
  const { identity, count, held, open } = me;
  const known = new Map(view.shards.filter((each) => each.count === count).map((each) => [each.shard, each]));
  const heldBy = Map.groupBy(known.values(), ({ holder }) => holder);
  const share = (rank: number): number => Math.floor(count / sharers.length) + (rank < count % sharers.length ? 1 : 0);
  const missing = sharers.map((sharer, rank) => Math.max(0, share(rank) - (heldBy.get(sharer.identity)?.length ?? 0)));
  const rank = sharers.findIndex((sharer) => sharer.identity === identity);
  if (rank === -1) return [];

  const surplus = Math.max(0, open.size - share(rank));
  const idlest = [...open]
    .filter(([, busy]) => busy < Infinity)
    .toSorted(([, left], [, right]) => left - right)
    .slice(0, surplus);
  const sheds = idlest.map(([shard]): ShardMove => ({ type: "Shed", shard }));

  const free = Array.from({ length: count }, (_, shard) => shard).filter(
    (shard) => (known.get(shard)?.freeMs ?? 0) <= nowMs && !held.has(shard),
  );
  const skipped = missing.slice(0, rank).reduce((sum, each) => sum + each, 0);
  // Ours without our knowledge: the answer to a claim was lost.
  const unnoticed = [...known.values()].filter(({ shard, holder }) => holder === identity && !held.has(shard)).map(({ shard }) => shard);
  const claimed = [...unnoticed, ...free.slice(skipped, skipped + (missing[rank] ?? 0))];
  return [...sheds, ...claimed.map((shard): ShardMove => ({ type: "Claim", shard, lease: known.get(shard)?.lease }))];
}

/** The eldest first, as the server saw it. */
function byAge(left: SeenReplica, right: SeenReplica): number {
  const [a, b] = [left, right].map(({ lease: { metadata } }) => `${metadata.creationTimestamp ?? ""} ${metadata.name}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
