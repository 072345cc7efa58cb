import type { KubeClient } from "@kaji/client";
import { LeaderElection } from "../election/leader-election.ts";
import { leaseStore } from "../election/lease-store.ts";
import type { HealthCheck } from "../health/health-checks.ts";
import type { Runnable } from "../manager/runnable.ts";
import { Sharding } from "../sharding/sharding.ts";
import { shardLeaseStore } from "../sharding/shard-lease-store.ts";
import type { ShardLeaseStore } from "../sharding/shard-lease-store.ts";
import { ownNamespace } from "./operator-parts.ts";
import type { OperatorParts } from "./operator-parts.ts";
import { refusedLease } from "./startup-refusals.ts";
import type { ConnectedServer } from "./surroundings.ts";

/** How the replicas of an operator divide the work. */
export interface Replicas {
  /** Undefined: there is no leader, or nothing that needs one, since the controllers share objects. */
  readonly election: LeaderElection | undefined;
  /** Undefined: replicas do not share objects. */
  readonly sharding: Sharding | undefined;
  /** What takes part in that. */
  readonly runnables: readonly Runnable[];
  readonly checks: readonly HealthCheck[];
}

/** Divides the work among the replicas of an operator. They share objects from when `warm` resolves. */
export function replicasOf(parts: OperatorParts, clientOf: (server: ConnectedServer) => KubeClient, warm: Promise<unknown>): Replicas {
  const { options, settings, election: connected } = parts;
  if (connected === undefined) return { election: undefined, sharding: undefined, runnables: [], checks: [] };
  const { shards, leaderElectionNamespace: namespace = ownNamespace(parts) } = settings;
  const sharding =
    shards === undefined ? undefined : shardingOf(parts, shardLeaseStore(clientOf(connected), namespace, options.name), shards, warm);
  const hasLeader = sharding === undefined || (options.runnables ?? []).some(({ needsLeader }) => needsLeader);
  const election = hasLeader ? electionOf(parts, clientOf(connected), namespace) : undefined;
  const taking = (name: "leader election" | "sharding", part: LeaderElection | Sharding): Runnable => ({
    name,
    run: (signal) => part.run(signal).catch((error: unknown) => refusedLease(error, namespace, name)),
  });
  return {
    election,
    sharding,
    runnables: [
      ...(sharding === undefined ? [] : [taking("sharding", sharding)]),
      ...(election === undefined ? [] : [taking("leader election", election)]),
    ],
    checks: sharding === undefined ? [] : [joinedCheck(sharding, (options.conversions ?? []).length > 0 ? warm : undefined)],
  };
}

function shardingOf(
  { options, surroundings, log, optional }: OperatorParts,
  store: ShardLeaseStore,
  count: number,
  warm: Promise<unknown>,
): Sharding {
  const { name, electionTiming } = options;
  const { metrics } = optional;
  const { clock, random, hostname } = surroundings;
  metrics?.setShards(name, 0, 0);
  return new Sharding({
    ...electionTiming,
    store,
    count,
    identity: `${hostname}_${random.uuid()}`,
    clock,
    random,
    log,
    warm,
    onStanding: (held, replicas) => metrics?.setShards(name, held, replicas),
    onBlocked: (blockedMs) => metrics?.blocked(blockedMs),
  });
}

/**
 * One that waits for others to end is ready, or a Deployment would never end them; and so is one that has to convert itself what it mirrors, until that is there: nobody asks it before it is ready.
 */
function joinedCheck(sharding: Sharding, converted: Promise<unknown> | undefined): HealthCheck {
  let hasJoined = false;
  let isConverting = converted !== undefined;
  void sharding.joined.then(() => (hasJoined = true));
  void converted?.then(() => (isConverting = false));
  const check: HealthCheck["check"] = () => {
    if (hasJoined || sharding.isWaiting) return { ok: true };
    if (isConverting) return { ok: true, note: "not joined yet, its caches wait for what is converted here" };
    return { ok: false, reason: "this replica has not joined the others yet" };
  };
  return { name: "shards", check };
}

function electionOf({ options, surroundings, log, optional }: OperatorParts, client: KubeClient, namespace: string): LeaderElection {
  const { name, electionTiming } = options;
  const { metrics } = optional;
  const { clock, random, hostname } = surroundings;
  metrics?.setLeading(name, false);
  return new LeaderElection({
    ...electionTiming,
    store: leaseStore(client, { namespace, name }),
    identity: `${hostname}_${random.uuid()}`,
    clock,
    random,
    log: log.child({ lease: `${namespace}/${name}` }),
    onLeading: (isLeading) => metrics?.setLeading(name, isLeading),
    onBlocked: (blockedMs) => metrics?.blocked(blockedMs),
  });
}
