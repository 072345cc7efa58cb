import type { Clock, ObjectKey } from "@kaji/core";
import { LeaseLostError } from "../election/lease-lost-error.ts";
import type { ShardGate } from "./shard-gate.ts";
import { shardOf } from "./shard-of.ts";

/** What reconciles of a shard may do: begin and write, only write, or neither. */
type Openness = "Open" | "Draining" | "Closed";

interface HeldShard {
  openness: Openness;
  /** How to abort each reconcile that is under way. */
  readonly underWay: Set<(reason: unknown) => void>;
  /** Called when the last of them has ended. */
  onIdle: () => void;
}

/** The shards that this replica holds, and what is under way in them. */
export class HeldShards implements ShardGate {
  readonly #count: number;
  readonly #fence: () => void;
  readonly #held = new Map<number, HeldShard>();
  readonly #listeners = new Set<(isGained: (key: ObjectKey) => boolean) => void>();

  /** `fence` throws unless this replica may hold shards at this very moment. */
  constructor(count: number, fence: () => void) {
    this.#count = count;
    this.#fence = fence;
  }

  /** All that are held, also those that are being given up. */
  get all(): ReadonlySet<number> {
    return new Set(this.#held.keys());
  }

  /** Those whose reconciles may begin, with how many are under way in each. */
  get open(): ReadonlyMap<number, number> {
    const open = this.#held.entries().filter(([, { openness }]) => openness === "Open");
    return new Map(open.map(([shard, { underWay }]) => [shard, underWay.size]));
  }

  holds(key: ObjectKey): boolean {
    return this.#of(key)?.openness === "Open";
  }

  enter(key: ObjectKey, abandon: (reason: unknown) => void): Disposable {
    const held = this.#of(key);
    if (held === undefined) return { [Symbol.dispose]: () => {} };
    held.underWay.add(abandon);
    return {
      [Symbol.dispose]: () => {
        if (held.underWay.delete(abandon) && held.underWay.size === 0) held.onIdle();
      },
    };
  }

  fence(key: ObjectKey): void {
    this.#fence();
    if (this.isClosed(shardOf(key, this.#count)))
      throw new LeaseLostError("NotElected", `another replica may hold the shard of ${key}: writes are refused`);
  }

  onGained(listener: (isGained: (key: ObjectKey) => boolean) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** This replica holds these shards from now on. */
  gain(shards: readonly number[]): void {
    for (const shard of shards) {
      const held = this.#held.get(shard);
      if (held === undefined) this.#held.set(shard, { openness: "Open", underWay: new Set(), onIdle: () => {} });
      else held.openness = "Open";
    }
    const gained = new Set(shards);
    if (shards.length > 0) for (const listener of this.#listeners) listener((key) => gained.has(shardOf(key, this.#count)));
  }

  /** Goes on with a shard that was not given up in the end, unless it was lost meanwhile. */
  resume(shard: number): void {
    if (this.#held.has(shard)) this.gain([shard]);
  }

  /** Lets no reconcile of a shard begin; resolves to whether none is under way any more, which it waits for. */
  async drain(shard: number, clock: Clock, waitMs: number): Promise<boolean> {
    const held = this.#held.get(shard);
    if (held === undefined) return true;
    held.openness = "Draining";
    if (held.underWay.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.onIdle = resolve;
      using _timer = clock.timer(waitMs, resolve);
      await promise;
      held.onIdle = () => {};
    }
    return held.underWay.size === 0;
  }

  /** Aborts the reconciles of a shard that are under way. */
  abort(shard: number, reason: unknown): void {
    for (const abandon of this.#held.get(shard)?.underWay ?? []) abandon(reason);
  }

  /** Lets no reconcile of a shard write any more. */
  close(shard: number): void {
    const held = this.#held.get(shard);
    if (held !== undefined) held.openness = "Closed";
  }

  /** Whether no reconcile of a shard may write. */
  isClosed(shard: number): boolean {
    return (this.#held.get(shard)?.openness ?? "Closed") === "Closed";
  }

  /** This replica does not hold a shard any more. Whatever is under way in it is aborted. */
  lose(shard: number, reason: unknown): void {
    this.close(shard);
    this.abort(shard, reason);
    this.#held.delete(shard);
  }

  #of(key: ObjectKey): HeldShard | undefined {
    return this.#held.get(shardOf(key, this.#count));
  }
}
