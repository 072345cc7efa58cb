import { aborted, isReason, onAbort, sleepUnlessAborted } from "@kaji/core";
import type { Clock, Random, StatusReason } from "@kaji/core";
import type { Lease } from "@kaji/types/coordination/v1";
import { timingOf } from "../election/election-timing.ts";
import type { ElectionTiming } from "../election/election-timing.ts";
import { LeaderElection } from "../election/leader-election.ts";
import { LeaseLostError } from "../election/lease-lost-error.ts";
import { Pause } from "../election/pause.ts";
import { WorkLeftError } from "../election/work-left-error.ts";
import type { Log } from "../log/log.ts";
import { quietly } from "../log/quietly.ts";
import { followLeases } from "./follow-leases.ts";
import { HeldShards } from "./held-shards.ts";
import { LeaseRequests } from "./lease-requests.ts";
import type { LeaseAnswer } from "./lease-requests.ts";
import { replicaStore } from "./replica-store.ts";
import { ShardBoard } from "./shard-board.ts";
import type { ShardGate } from "./shard-gate.ts";
import { layoutTitle, replicaTitle, shardTitle } from "./shard-lease.ts";
import type { LeaseTitle } from "./shard-lease.ts";
import type { LeaseSnapshot, ShardLeaseStore } from "./shard-lease-store.ts";
import { planShards } from "./shard-plan.ts";
import type { ShardMove, Sharer } from "./shard-plan.ts";

/** What sharing works with. */
export interface ShardingOptions extends Partial<ElectionTiming> {
  readonly store: ShardLeaseStore;
  /** Into how many shards all objects are divided: the same in all replicas, and more than there will be replicas. */
  readonly count: number;
  /** The identity of this replica; no other process may ever have had the same. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Resolves when this replica could begin at once, with its caches filled: until then it takes no shards, and leaves those of others alone. Default: now. */
  readonly warm?: Promise<unknown> | undefined;
  /** Is told how many shards we hold, and how many replicas share them, each time it changes. */
  readonly onStanding?: (held: number, replicas: number) => void;
  /** Is told for how long the event loop was blocked while we took part. */
  readonly onBlocked?: (blockedMs: number) => void;
}

/** How long reconciles of a shard that is given up may take before they are aborted. */
const drainMs = 15_000;
/** How long an aborted reconcile may take to end, and a request that it sent to arrive. */
const abortedMs = 5000;
/** How long a shard that could not be given up is left alone. */
const stuckMs = 60_000;

/**
 * Shares objects among replicas: each shard is held by one of them, and each replica holds as many as the others, give or take one.
 *
 * At any moment at most one replica passes the `fence` of an object. A replica loses a shard only by giving it up, when none of its reconciles are under way, or by losing its own lease, as a leader does,
 * which ends all its work. A shard is taken only from a replica whose lease is gone for good.
 */
export class Sharding {
  /** What controllers ask. */
  readonly shards: ShardGate;
  /** Resolves when this replica takes part. */
  readonly joined: Promise<void>;
  readonly #options: ShardingOptions;
  readonly #timing: ElectionTiming;
  /** Of the lease of this replica. */
  readonly #title: LeaseTitle;
  readonly #election: LeaderElection;
  readonly #held: HeldShards;
  readonly #board = new ShardBoard();
  readonly #joined = Promise.withResolvers<void>();
  readonly #sheds = new Set<Promise<void>>();
  /** Shards that could not be given up, since a reconcile of them did not stop, and until when they are left alone. */
  readonly #stuck = new Map<number, number>();
  readonly #failure = new AbortController();
  readonly #requests: LeaseRequests;
  #hasJoined = false;
  #isWaiting = false;
  #standing = "";
  #pause: Pause | undefined;

  constructor(options: ShardingOptions) {
    const { store, count, identity, clock, random, log } = options;
    if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`count, of shards, must be a whole number from 1 up, not ${count}`);
    this.#options = options;
    this.#timing = timingOf(options);
    this.#title = replicaTitle(store.operator, count, random.uuid());
    const own = { mayHold: () => this.#hasJoined, onStored: (lease: Lease) => this.#board.wrote(lease, clock.monotonic()) };
    this.#election = new LeaderElection({
      ...options,
      store: replicaStore(store, this.#title, own),
      identity,
      log: quietly(log),
    });
    this.#held = new HeldShards(count, () => this.fence());
    const { leaseDurationMs } = this.#timing;
    const failIfRefused = (error: unknown): boolean => this.#failIfRefused(error, "Forbidden", "Unauthorized");
    this.#requests = new LeaseRequests({ store, identity, leaseDurationMs, board: this.#board, clock, log, failIfRefused });
    this.shards = this.#held;
    this.joined = this.#joined.promise;
  }

  /** The shards that this replica holds. */
  get held(): readonly number[] {
    return [...this.#held.open.keys()].toSorted((left, right) => left - right);
  }

  /** Whether this replica has to wait until those that divide all objects into another number of shards have ended. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Throws a `LeaseLostError` unless this replica takes part at this very moment: called right before a write, it guarantees that no other replica has taken a shard of ours. */
  fence(): void {
    this.#election.fence();
  }

  /**
   * Takes part until aborted, and then gives all shards up, unless the abort reason is a `WorkLeftError`. Rejects with a `LeaseLostError` when the lease of this replica is lost, and with an `ApiError` when the server does not let us
   * take part.
   */
  async run(signal: AbortSignal): Promise<void> {
    const over = aborted(signal);
    await Promise.race([this.#options.warm, over]);
    if (signal.aborted) return;
    const failure = this.#failure.signal;
    const leave = new AbortController();
    const end = AbortSignal.any([signal, failure]);
    const electing = this.#election.run(leave.signal).catch((error: unknown) => this.#fail(error));
    const following = this.#follow(AbortSignal.any([leave.signal, failure]));
    await Promise.race([this.#election.elected, aborted(end)]);
    if (!end.aborted) await this.#tend(end);
    await Promise.race([Promise.all(this.#sheds), aborted(failure)]);
    const reason = failure.aborted ? undefined : await this.#giveUp(signal.reason);
    leave.abort(reason);
    await Promise.all([electing, following]);
    if (failure.aborted) throw failure.reason;
    if (!(reason instanceof WorkLeftError)) await this.#removeOwnLease();
  }

  /** Acts on how things stand, and waits for news. */
  async #tend(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    using _wake = onAbort(signal, () => this.#wake());
    while (!signal.aborted) {
      const { changes } = this.#board;
      const plan = planShards(this.#board.view, this.#sharer(), clock.monotonic());
      this.#tellWaiting(!this.#hasJoined && plan.moves.every(({ type }) => type === "Bury"));
      const results = await this.#make(plan.moves);
      this.#tellStanding(plan.replicas);
      const hasLost = plan.moves.some(({ type }) => type === "Lose");
      if (this.#board.changes !== changes || hasLost || signal.aborted) continue;
      const retryMs = results.every((result) => result === "Done") ? Infinity : this.#timing.retryPeriodMs * (1 + random.next());
      this.#pause = new Pause(clock);
      await this.#pause.wait(Math.min(Math.min(plan.untilMs, ...this.#stuck.values()) - clock.monotonic(), retryMs));
    }
  }

  async #make(moves: readonly ShardMove[]): Promise<readonly LeaseAnswer[]> {
    const gained: number[] = [];
    const results = await Promise.all(moves.map((move) => this.#makeOne(move, gained)));
    if (gained.length > 0) {
      this.#held.gain(gained);
      this.#options.log.info({ shards: gained, held: this.held.length }, "took shards");
    }
    return results;
  }

  async #makeOne(move: ShardMove, gained: number[]): Promise<LeaseAnswer> {
    const { store, count, log } = this.#options;
    switch (move.type) {
      case "Join": {
        const answer = await this.#claim(layoutTitle(store.operator, count), move.layout);
        if (answer === "Done") this.#noteJoined();
        return answer;
      }
      case "Bury":
        return this.#requests.delete(move.lease);
      case "Claim": {
        const answer = await this.#claim(shardTitle(store.operator, count, move.shard), move.lease);
        if (answer === "Done") gained.push(move.shard);
        return answer;
      }
      case "Shed": {
        const shedding = this.#shed(move.shard).finally(() => this.#sheds.delete(shedding));
        this.#sheds.add(shedding);
        return "Done";
      }
      case "Lose":
        // Of one that is being given up the server has stored the release, and the answer is on its way.
        if (!this.#held.isClosed(move.shard)) log.error({ shard: move.shard }, "lost a shard: its lease was changed by somebody else");
        this.#held.lose(move.shard, new LeaseLostError("Taken", `another replica may hold shard ${move.shard}`));
        return "Done";
      default:
        return move satisfies never;
    }
  }

  #claim(title: LeaseTitle, lease: Lease | undefined): Promise<LeaseAnswer> {
    return this.#requests.claim(title, lease, () => this.fence());
  }

  /** Gives a shard up: nothing of it begins any more, what is under way ends or is aborted, and then another replica may have it. */
  async #shed(shard: number): Promise<void> {
    const { clock, log } = this.#options;
    if (!(await this.#isDrained(shard))) {
      log.error({ shard }, "a shard was not given up: a reconcile of it did not stop after its abort");
      this.#held.resume(shard);
      this.#stuck.set(shard, clock.monotonic() + stuckMs);
      return this.#wake();
    }
    this.#held.close(shard);
    // Until the server has stored it, or the lease is not ours any more.
    while (!(await this.#release(shard)) && this.#held.all.has(shard) && !this.#failure.signal.aborted) {
      await sleepUnlessAborted(clock, this.#timing.retryPeriodMs, this.#failure.signal);
    }
    log.info({ shard, held: this.held.length }, "gave up a shard");
    this.#wake();
  }

  async #isDrained(shard: number): Promise<boolean> {
    const { clock } = this.#options;
    if (await this.#held.drain(shard, clock, drainMs)) return true;
    this.#held.abort(shard, new LeaseLostError("Released", `shard ${shard} is given to another replica`));
    await sleepUnlessAborted(clock, abortedMs, this.#failure.signal);
    return this.#held.drain(shard, clock, 0);
  }

  /** Resolves to whether another replica may have the shard now. The fence must be closed before: it may have it as soon as the server has stored it. */
  async #release(shard: number): Promise<boolean> {
    const { store, count, identity } = this.#options;
    const seen = this.#board.view.shards.find((each) => each.shard === shard && each.count === count);
    const isReleased =
      seen?.holder !== identity || (await this.#requests.release(shardTitle(store.operator, count, shard), seen.lease)) === "Done";
    if (isReleased) this.#held.lose(shard, new LeaseLostError("Released", `shard ${shard} was released`));
    return isReleased;
  }

  /** Gives all shards up, since the program ends; resolves to the reason with which to leave. What cannot be released expires with our lease. */
  async #giveUp(reason: unknown): Promise<unknown> {
    const { log } = this.#options;
    if (reason instanceof WorkLeftError) return reason;
    const shards = [...this.#held.all];
    const areDrained = await Promise.all(shards.map((shard) => this.#isDrained(shard)));
    const drained = shards.filter((_, index) => areDrained[index]);
    for (const shard of drained) this.#held.close(shard);
    await Promise.all(drained.map((shard) => this.#release(shard)));
    if (drained.length === shards.length) return reason;
    log.warn({ shards: [...this.#held.all] }, "shards not released, since reconciles are still under way; they will expire");
    return new WorkLeftError("reconciles are still under way");
  }

  async #removeOwnLease(): Promise<void> {
    const own = this.#board.view.replicas.find(({ lease }) => lease.metadata.name === this.#title.name);
    if (own !== undefined) await this.#requests.delete(own.lease);
  }

  /** Follows the leases of all replicas. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { store, clock, random, log } = this.#options;
    const { retryPeriodMs } = this.#timing;
    const onSnapshot = (snapshot: LeaseSnapshot): void => {
      const { changes } = this.#board;
      this.#board.show(snapshot, clock.monotonic());
      if (this.#board.changes !== changes) this.#wake();
    };
    const onFailure = (error: unknown): void => {
      if (!this.#failIfRefused(error, "Forbidden", "Unauthorized", "NotFound"))
        log.debug({ err: error }, "watch of shard leases failed; will retry");
    };
    const following = { clock, random, silenceMs: 3 * retryPeriodMs, retryMs: retryPeriodMs / 2, onSnapshot, onFailure };
    await followLeases(store, following, signal);
  }

  #sharer(): Sharer {
    const { identity, count, clock } = this.#options;
    const nowMs = clock.monotonic();
    for (const [shard, untilMs] of this.#stuck) if (untilMs <= nowMs) this.#stuck.delete(shard);
    const open = new Map(this.#held.open.entries().map(([shard, busy]) => [shard, this.#stuck.has(shard) ? Infinity : busy]));
    return { identity, count, hasJoined: this.#hasJoined, held: this.#held.all, open };
  }

  #noteJoined(): void {
    const { log, identity, count } = this.#options;
    this.#hasJoined = true;
    log.info({ identity, shards: count }, "joined the replicas that share all objects");
    this.#joined.resolve();
  }

  #tellWaiting(isWaiting: boolean): void {
    const { log, count } = this.#options;
    if (isWaiting && !this.#isWaiting)
      log.info({ shards: count }, "replicas with another number of shards are at work; waiting until they end");
    this.#isWaiting = isWaiting;
  }

  #tellStanding(replicas: number): void {
    const held = this.#held.open.size;
    const standing = `${held} ${replicas}`;
    if (standing !== this.#standing) this.#options.onStanding?.(held, replicas);
    this.#standing = standing;
  }

  /** Ends all work if the server does not let us take part, and says so. Once we do, it is an outage as any other. */
  #failIfRefused(error: unknown, ...reasons: readonly StatusReason[]): boolean {
    const isRefused = !this.#hasJoined && isReason(error, ...reasons);
    if (isRefused) this.#fail(error);
    return isRefused;
  }

  /** Ends all work at once. */
  #fail(error: unknown): void {
    this.#failure.abort(error);
    for (const shard of this.#held.all) this.#held.lose(shard, error);
    this.#wake();
  }

  #wake(): void {
    this.#pause?.end();
  }
}
