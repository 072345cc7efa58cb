import type { Clock, ObjectKey } from "@kaji/core";
import type { ClusterEvent } from "./filter.ts";

/** What a queue of pods works with. */
export interface SchedulingQueueOptions {
  readonly clock: Clock;
  /** Is called when there is a pod to take and there was none before. */
  readonly onReady: () => void;
}

const firstDelayMs = 1000;
const longestDelayMs = 10_000;

/**
 * Pods that wait for a node: the most important first, then the one that waits longest.
 *
 * A pod is in one state: ready; parked, until a cluster event that may make it fit; delayed, after a failure that no cluster event ends; or taken by the scheduler.
 */
export class SchedulingQueue implements Disposable {
  readonly #options: SchedulingQueueOptions;
  /** By priority. No list is empty. */
  readonly #ready = new Map<number, Set<ObjectKey>>();
  readonly #parked = new Map<ObjectKey, { readonly priority: number; readonly wokenBy: ReadonlySet<ClusterEvent> }>();
  /** The parked pods that each event may help. Most events help none, and many pods may be parked. */
  readonly #helpedBy = new Map<ClusterEvent, Set<ObjectKey>>();
  readonly #delayed = new Map<ObjectKey, { readonly timer: Disposable; readonly dueMs: number }>();
  /** How often each pod has failed in a row. */
  readonly #failures = new Map<ObjectKey, number>();

  constructor(options: SchedulingQueueOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#ready.size === 0;
  }

  /** How long until a delayed pod is ready; undefined when none is delayed. */
  get nextDueInMs(): number | undefined {
    if (this.#delayed.size === 0) return undefined;
    return Math.min(...this.#delayed.values().map(({ dueMs }) => dueMs)) - this.#options.clock.monotonic();
  }

  /** Makes a pod ready, wherever it was. */
  add(key: ObjectKey, priority: number): void {
    this.#leave(key);
    const wasEmpty = this.isEmpty;
    const pods = this.#ready.get(priority) ?? new Set();
    this.#ready.set(priority, pods.add(key));
    if (wasEmpty) this.#options.onReady();
  }

  take(): ObjectKey | undefined {
    if (this.isEmpty) return undefined;
    const pods = this.#ready.get(Math.max(...this.#ready.keys())) ?? [];
    for (const key of pods) {
      this.#leave(key);
      return key;
    }
    return undefined;
  }

  /** Puts a pod aside until one of these events. */
  park(key: ObjectKey, priority: number, wokenBy: ReadonlySet<ClusterEvent>): void {
    this.#leave(key);
    this.#failures.delete(key);
    this.#parked.set(key, { priority, wokenBy });
    for (const event of wokenBy) this.#helpedBy.set(event, (this.#helpedBy.get(event) ?? new Set()).add(key));
  }

  /** Makes a pod ready after a while, which is longer each time. */
  delay(key: ObjectKey, priority: number): void {
    this.#leave(key);
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
    const { clock } = this.#options;
    this.#delayed.set(key, { timer: clock.timer(delayMs, () => this.add(key, priority)), dueMs: clock.monotonic() + delayMs });
  }

  /** Makes the parked pods ready that an event may help. */
  wake(event: ClusterEvent): void {
    for (const key of [...(this.#helpedBy.get(event) ?? [])]) this.add(key, this.#parked.get(key)?.priority ?? 0);
  }

  /** Forgets a pod. */
  delete(key: ObjectKey): void {
    this.#leave(key);
    this.#failures.delete(key);
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#delayed.values()) timer[Symbol.dispose]();
    this.#delayed.clear();
  }

  #leave(key: ObjectKey): void {
    for (const event of this.#parked.get(key)?.wokenBy ?? []) this.#helpedBy.get(event)?.delete(key);
    this.#parked.delete(key);
    this.#delayed.get(key)?.timer[Symbol.dispose]();
    this.#delayed.delete(key);
    for (const [priority, pods] of this.#ready) if (pods.delete(key) && pods.size === 0) this.#ready.delete(priority);
  }
}
