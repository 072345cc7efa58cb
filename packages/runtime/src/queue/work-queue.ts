import type { Clock } from "@kaji/core";
import { DelayHeap } from "./delay-heap.ts";
import { Lane } from "./lane.ts";
import { Entry } from "./queue-entry.ts";
import type { Delay } from "./queue-entry.ts";
import { exponentialBackoff } from "./rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** For how long one step of priority puts a key ahead of those that came before it. */
const headStartMs = 10_000;

/** Of more priorities than this, those are forgotten of which no key waits. */
const mostIdleLanes = 16;

/** A key checked out by one worker. Disposing the lease returns it. */
export interface KeyLease<Key> extends Disposable {
  readonly key: Key;
  readonly priority: number;
}

/** How a queue orders and delays keys, and who is told about it. */
export interface WorkQueueOptions<Key> {
  readonly clock: Clock;
  /** What delays retries. Default: exponential backoff for each key. */
  readonly limiter?: RateLimiter<Key>;
  readonly observer?: QueueObserver | undefined;
  /** How long a key rests after a worker has had it, whatever adds it meanwhile. Default 0. */
  readonly paceMs?: number;
}

/** Is told what goes through a queue, for metrics. */
export interface QueueObserver {
  /** A key was added that did not wait already. */
  added(): void;
  /** A worker took a key, after it had waited. */
  taken(waitedMs: number): void;
  /** A worker returned a key. */
  done(workedMs: number): void;
  /** A key is to be tried again with backoff. */
  retried(): void;
}

/**
 * Keys waiting for work: deduplicated, and never handed to two workers at once.
 *
 * A key added while it is being worked on is handed out again after its lease is returned, so no change is lost and no key is processed
 * concurrently with itself. Of several keys the one is next whose time of arrival, less 10 s for each step of its priority, is the earliest: priority is a head
 * start, and no flow of keys of any priority makes another wait for longer than that head start.
 */
export class WorkQueue<Key> {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<Key>;
  readonly #observer: QueueObserver | undefined;
  /** Every key that waits, is leased or is delayed, and no other: idle keys cost nothing. */
  readonly #entries = new Map<Key, Entry<Key>>();
  /** One for each priority that was used, the highest first. Their entries are sorted by arrival. */
  readonly #lanes: Lane<Entry<Key>>[] = [];
  readonly #delayed = new DelayHeap<Delay<Key>>();
  readonly #paceMs: number;
  /** Entries that are kept for their rest alone, the one whose rest began first in front. */
  readonly #resting = new Set<Entry<Key>>();
  /** Keys that workers hold, oldest first. An entry stands here or in one of the lanes, never in two places. */
  readonly #held = new Lane<Entry<Key>>(0);
  #leased = 0;
  readonly #onReturn = (entry: Entry<Key>): void => this.#return(entry);
  /** Workers waiting for a key, oldest first. Empty unless no key waits. */
  readonly #waiters: ((lease: KeyLease<Key> | undefined) => void)[] = [];
  readonly #drained: (() => void)[] = [];
  #size = 0;
  #timer: { readonly dueMs: number; readonly handle: Disposable } | undefined;
  #isClosed = false;

  constructor({ clock, limiter = exponentialBackoff(), observer, paceMs = 0 }: WorkQueueOptions<Key>) {
    this.#paceMs = paceMs;
    this.#clock = clock;
    this.#limiter = limiter;
    this.#observer = observer;
  }

  /** How many keys wait for a worker. */
  get size(): number {
    return this.#size;
  }

  /** How many keys of each priority wait for a worker; 0 of some that there were. */
  get sizes(): ReadonlyMap<number, number> {
    return new Map(this.#lanes.map(({ priority, size }) => [priority, size]));
  }

  /** How many keys wait for their time. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** How many keys workers hold. */
  get leased(): number {
    return this.#leased;
  }

  /** How long until the next delayed key is due; undefined when none is delayed. */
  get nextDueInMs(): number | undefined {
    const { first } = this.#delayed;
    return first === undefined ? undefined : Math.max(0, first.dueMs - this.#clock.monotonic());
  }

  /** How long workers have had the keys that they hold. */
  get workedMs(): readonly number[] {
    const nowMs = this.#clock.monotonic();
    const workedMs: number[] = [];
    for (let entry = this.#held.first; entry !== undefined; entry = entry.behind) workedMs.push(nowMs - entry.takenMs);
    return workedMs;
  }

  /** Lets a worker have the key as soon as its turn comes. Of several priorities that it is added with while it waits, the highest counts. */
  add(key: Key, priority = 0): void {
    if (this.#isClosed) return;
    this.#add(this.#entry(key), priority);
  }

  /** Adds the key after a delay. Of several times, the earliest counts. */
  addAfter(key: Key, delayMs: number, priority = 0): void {
    if (this.#isClosed) return;
    const entry = this.#entry(key);
    if (delayMs <= 0) return this.#add(entry, priority);
    const dueMs = this.#clock.monotonic() + delayMs;
    if (entry.delay !== undefined && entry.delay.dueMs <= dueMs) return;
    entry.delay ??= { entry, priority, dueMs, heapIndex: -1 };
    entry.delay.priority = priority;
    this.#delayed.put(entry.delay, dueMs);
    this.#arm();
  }

  /** Adds the key after a delay, and lets it come no sooner, whatever adds it meanwhile. */
  addNotBefore(key: Key, delayMs: number, priority = 0): void {
    if (this.#isClosed) return;
    const entry = this.#entry(key);
    entry.restsUntilMs = Math.max(entry.restsUntilMs, this.#clock.monotonic() + delayMs);
    this.addAfter(key, delayMs, priority);
  }

  /** Adds the key when the rate limiter allows another attempt. */
  addRateLimited(key: Key, priority = 0): void {
    if (this.#isClosed) return;
    this.#observer?.retried();
    this.addAfter(key, this.#limiter.delayMs(key), priority);
  }

  /** How often the key was retried since it was forgotten. */
  attempts(key: Key): number {
    return this.#limiter.attempts(key);
  }

  /** The key did well: its next retry waits as long as a first one. */
  forget(key: Key): void {
    this.#limiter.forget(key);
  }

  /** Whether the key waits for its time. */
  isDelayed(key: Key): boolean {
    return this.#entries.get(key)?.delay !== undefined;
  }

  /** How long until the key's time comes; undefined if it waits for none. */
  dueInMs(key: Key): number | undefined {
    const delay = this.#entries.get(key)?.delay;
    return delay === undefined ? undefined : Math.max(0, delay.dueMs - this.#clock.monotonic());
  }

  /** Takes back what was added for a later time. */
  cancelDelay(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry?.delay === undefined) return;
    this.#delayed.remove(entry.delay);
    entry.delay = undefined;
    this.#release(entry);
    this.#arm();
  }

  /** Waits for a key. Resolves to undefined once the queue is closed and empty. */
  take(): Promise<KeyLease<Key> | undefined> {
    const lease = this.tryTake();
    if (lease !== undefined || this.#isClosed) return Promise.resolve(lease);
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Takes a key, if one waits. */
  tryTake(): KeyLease<Key> | undefined {
    const lane = this.#nextLane();
    const entry = lane?.first;
    if (lane === undefined || entry === undefined) return undefined;
    this.#leave(lane, entry);
    return this.#lease(entry);
  }

  /** Refuses new keys, drops delayed ones, and lets workers finish the ones already here; resolves when they have. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const { entry } of this.#delayed.clear()) {
      entry.delay = undefined;
      entry.wake = undefined;
      this.#release(entry);
    }
    this.#arm();
    for (const wake of this.#waiters.splice(0)) wake(undefined);
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#noteDrained();
    });
  }

  /** The lane whose first key has the earliest time of arrival, less the head start of the lane. */
  #nextLane(): Lane<Entry<Key>> | undefined {
    let next: Lane<Entry<Key>> | undefined;
    for (const lane of this.#lanes) {
      if (lane.first !== undefined && (next?.first === undefined || lane.first.rank < next.first.rank)) next = lane;
    }
    return next;
  }

  #entry(key: Key): Entry<Key> {
    let entry = this.#entries.get(key);
    if (entry === undefined) this.#entries.set(key, (entry = new Entry(key)));
    return entry;
  }

  #add(entry: Entry<Key>, asked: number): void {
    // Such as of a date that is none: it compares with nothing, and would never be next.
    const priority = Number.isNaN(asked) ? 0 : asked;
    if (entry.isLeased) {
      entry.again = Math.max(entry.again ?? priority, priority);
      return;
    }
    const nowMs = this.#clock.monotonic();
    if (entry.restsUntilMs > nowMs) return this.#wakeLater(entry, priority);
    const rank = nowMs - priority * headStartMs;
    if (entry.lane !== undefined) {
      if (entry.rank <= rank) return;
      this.#leave(entry.lane, entry);
    } else {
      entry.arrivedMs = nowMs;
      this.#observer?.added();
    }
    entry.rank = rank;
    entry.priority = priority;
    const wake = this.#waiters.shift();
    if (wake === undefined) this.#stand(entry);
    else wake(this.#lease(entry));
  }

  /** Adds a key that rests when its rest is over. Its delay, which may end later, stays as it is. */
  #wakeLater(entry: Entry<Key>, priority: number): void {
    if (this.#isClosed) return this.#release(entry);
    entry.wake ??= { entry, priority, dueMs: entry.restsUntilMs, heapIndex: -1 };
    entry.wake.priority = Math.max(entry.wake.priority, priority);
    this.#delayed.put(entry.wake, entry.restsUntilMs);
    this.#arm();
  }

  #stand(entry: Entry<Key>): void {
    const lane = this.#laneOf(entry.priority);
    lane.push(entry);
    entry.lane = lane;
    this.#size++;
  }

  #leave(lane: Lane<Entry<Key>>, entry: Entry<Key>): void {
    lane.remove(entry);
    entry.lane = undefined;
    this.#size--;
    // Priorities that are computed, such as from an age, may be as many as there are keys.
    if (lane.size === 0 && this.#lanes.length > mostIdleLanes) this.#lanes.splice(this.#lanes.indexOf(lane), 1);
  }

  #laneOf(priority: number): Lane<Entry<Key>> {
    for (const lane of this.#lanes) if (lane.priority === priority) return lane;
    const lane = new Lane<Entry<Key>>(priority);
    this.#lanes.push(lane);
    // Of two keys of the same rank that of the higher priority is next.
    this.#lanes.sort((left, right) => right.priority - left.priority);
    return lane;
  }

  #lease(entry: Entry<Key>): KeyLease<Key> {
    entry.isLeased = true;
    entry.takenMs = this.#clock.monotonic();
    this.#held.push(entry);
    this.#leased++;
    this.#observer?.taken(entry.takenMs - entry.arrivedMs);
    return new QueueLease(entry, this.#onReturn);
  }

  #return(entry: Entry<Key>): void {
    entry.isLeased = false;
    this.#held.remove(entry);
    this.#leased--;
    const nowMs = this.#clock.monotonic();
    this.#observer?.done(nowMs - entry.takenMs);
    if (this.#paceMs > 0) entry.restsUntilMs = Math.max(entry.restsUntilMs, nowMs + this.#paceMs);
    if (this.#resting.size > 0) this.#forgetRested(nowMs);
    const { again } = entry;
    entry.again = undefined;
    if (again === undefined) this.#release(entry);
    else this.#add(entry, again);
    this.#noteDrained();
  }

  /** Forgets an entry that neither waits nor is leased nor delayed, and has rested. */
  #release(entry: Entry<Key>): void {
    if (entry.isLeased || entry.lane !== undefined || entry.delay !== undefined || entry.wake !== undefined) return;
    // Few ever rest, and a look at the clock takes longer than all else here.
    if (entry.restsUntilMs === Number.NEGATIVE_INFINITY) return void this.#entries.delete(entry.key);
    this.#resting.delete(entry);
    if (entry.restsUntilMs > this.#clock.monotonic()) this.#resting.add(entry);
    else this.#entries.delete(entry.key);
  }

  #forgetRested(nowMs: number): void {
    for (const entry of this.#resting) {
      if (entry.restsUntilMs > nowMs) return;
      this.#resting.delete(entry);
      this.#release(entry);
    }
  }

  /** Sees to it that the one timer fires when the first delayed key is due. */
  #arm(): void {
    const dueMs = this.#delayed.first?.dueMs;
    if (dueMs === this.#timer?.dueMs) return;
    this.#timer?.handle[Symbol.dispose]();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const handle = this.#clock.timer(dueMs - this.#clock.monotonic(), () => this.#due());
    this.#timer = { dueMs, handle };
  }

  #due(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonic();
    for (let first = this.#delayed.first; first !== undefined && first.dueMs <= nowMs; first = this.#delayed.first)
      this.#add(first.entry, this.#takeDue(first.entry, nowMs));
    this.#arm();
  }

  /** Takes out what of a key is due, so that one that is due for two reasons comes once; returns its priority. */
  #takeDue(entry: Entry<Key>, nowMs: number): number {
    let priority = -Infinity;
    for (const place of ["delay", "wake"] as const) {
      const due = entry[place];
      if (due === undefined || due.dueMs > nowMs) continue;
      this.#delayed.remove(due);
      entry[place] = undefined;
      priority = Math.max(priority, due.priority);
    }
    return priority;
  }

  #noteDrained(): void {
    if (this.#isClosed && this.#size === 0 && this.#leased === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }
}

class QueueLease<Key> implements KeyLease<Key> {
  readonly #entry: Entry<Key>;
  #onReturn: ((entry: Entry<Key>) => void) | undefined;
  readonly key: Key;
  readonly priority: number;

  constructor(entry: Entry<Key>, onReturn: (entry: Entry<Key>) => void) {
    this.#entry = entry;
    this.#onReturn = onReturn;
    this.key = entry.key;
    this.priority = entry.priority;
  }

  [Symbol.dispose](): void {
    const onReturn = this.#onReturn;
    this.#onReturn = undefined;
    onReturn?.(this.#entry);
  }
}
