import { objectKey, randomBelow } from "@kaji/core";
import type { ObjectKey, Random } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { WorkLeftError } from "../../election/work-left-error.ts";
import { RecordingLog } from "../../log/testing/recording-log.ts";
import { shardOf } from "../../sharding/shard-of.ts";
import { Sharding } from "../../sharding/sharding.ts";
import { MachineClock } from "../election/machine-clock.ts";
import { ShardLeaseServer } from "./shard-lease-server.ts";
import type { ReplicaNetwork } from "./shard-lease-server.ts";

/** A replica on a machine and a network of its own. */
export interface RiggedReplica {
  readonly name: string;
  /** Into how many shards it divides all objects. */
  readonly count: number;
  readonly sharding: Sharding;
  readonly clock: MachineClock;
  readonly network: ReplicaNetwork;
  readonly log: RecordingLog;
  /** The objects it is at work on. */
  readonly jobs: Set<ObjectKey>;
  /** How it ended, if it has. */
  end: { readonly error: unknown } | undefined;
  readonly stop: (reason?: unknown) => void;
  /** Ends it without a last word. */
  readonly kill: () => void;
}

/** Several replicas that share objects, in virtual time. */
export class ShardingRig implements AsyncDisposable {
  readonly time: ManualClock = new ManualClock();
  readonly server: ShardLeaseServer = new ShardLeaseServer(this.time);
  readonly random: Random;
  readonly count: number;
  readonly replicas: RiggedReplica[] = [];
  readonly #running: Promise<void>[] = [];

  constructor(count: number, seed = 1) {
    this.count = count;
    this.random = seededRandom(seed);
  }

  /** Starts a replica. */
  add(
    options: { readonly rate?: number; readonly skewMs?: number; readonly count?: number; readonly warm?: Promise<void> } = {},
  ): RiggedReplica {
    const name = `replica-${this.replicas.length}`;
    const clock = new MachineClock(this.time, options);
    const network = { delayMs: 20, loss: 0, isDeaf: false };
    const log = new RecordingLog();
    const random = seededRandom(this.random.next() * 2 ** 32);
    const store = this.server.store(network, clock, random);
    const { count = this.count, warm } = options;
    const sharding = new Sharding({ store, count, identity: name, clock, random, log, warm });
    const end = new AbortController();
    const jobs = new Set<ObjectKey>();
    const replica: RiggedReplica = {
      name,
      count,
      sharding,
      clock,
      network,
      log,
      jobs,
      end: undefined,
      stop: (reason) => end.abort(reason),
      kill: () => end.abort(new WorkLeftError("killed")),
    };
    this.replicas.push(replica);
    this.#running.push(
      sharding.run(end.signal).then(
        () => void (replica.end = { error: undefined }),
        (error: unknown) => void (replica.end = { error }),
      ),
    );
    return replica;
  }

  /** The replicas that have not ended. */
  get living(): readonly RiggedReplica[] {
    return this.replicas.filter(({ end }) => end === undefined);
  }

  /** The shards that each living replica holds. */
  get held(): readonly (readonly number[])[] {
    return this.living.map(({ sharding }) => sharding.held);
  }

  /** The replicas that may write an object at this moment. */
  writers(key: ObjectKey): readonly RiggedReplica[] {
    return this.replicas.filter((replica) => isOpen(replica, () => replica.sharding.shards.fence(key)));
  }

  /** The replicas that are at work on an object, and have not lost their lease. */
  workers(key: ObjectKey): readonly RiggedReplica[] {
    return this.replicas.filter((replica) => replica.jobs.has(key) && isOpen(replica, () => replica.sharding.fence()));
  }

  /** Begins a reconcile that takes so long, if the replica holds the object; one that is stubborn does not end when it is aborted. */
  work(
    { sharding, clock, jobs }: RiggedReplica,
    key: ObjectKey,
    forMs: number,
    { isStubborn = false }: { readonly isStubborn?: boolean } = {},
  ): void {
    if (jobs.has(key) || !sharding.shards.holds(key)) return;
    jobs.add(key);
    const done = (): void => {
      jobs.delete(key);
      pass[Symbol.dispose]();
    };
    const pass = sharding.shards.enter(key, () => (isStubborn ? undefined : clock.timer(10, done)));
    clock.timer(forMs, done);
  }

  /** A replica that lives, at random. */
  any(): RiggedReplica | undefined {
    return this.living[randomBelow(this.random, this.living.length)];
  }

  /** Ends everything, as a power failure does. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { kill } of this.replicas) kill();
    await this.time.advance(120_000);
    await Promise.all(this.#running);
  }
}

function isOpen({ clock }: RiggedReplica, fence: () => void): boolean {
  // Nothing runs on a machine that stands still; what runs when it goes on again asks the fence then.
  if (clock.isStill) return false;
  try {
    fence();
    return true;
  } catch {
    return false;
  }
}

/** An object of each shard. */
export function objectsOf(count: number): readonly ObjectKey[] {
  const found = new Map<number, ObjectKey>();
  for (let index = 0; found.size < count; index++) {
    const key = objectKey({ namespace: "shop", name: `object-${index}` });
    if (!found.has(shardOf(key, count))) found.set(shardOf(key, count), key);
  }
  return [...found.entries()].toSorted(([left], [right]) => left - right).map(([, key]) => key);
}
