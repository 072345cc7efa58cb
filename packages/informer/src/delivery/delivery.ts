import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { DeltaFifo } from "./delta-fifo.ts";
import type { Delta } from "./delta.ts";
import { lazyDelta } from "./lazy-delta.ts";
import type { State } from "../store/mirror.ts";
import type { DeliveredDelta, DeltaHandler, Subscription } from "./subscription.ts";

/** What a delivery needs of its informer. */
export interface DeliveryHost<T extends KubeObject> {
  /** All objects as readers see them. */
  readonly states: () => Iterable<readonly [ObjectKey, State<T>]>;
  readonly onFailure: (error: unknown, delta: Delta<DeepReadonly<T>>) => void;
  readonly onDispose: () => void;
}

/**
 * Brings deltas to the handler of a subscription, in order, at the handler's pace.
 *
 * A handler that is done when it returns is told all that happens. A slow one gets what happened to an object meanwhile as one delta. One that throws is
 * told the next delta all the same.
 */
export class Delivery<T extends KubeObject> implements Subscription {
  readonly synced: Promise<void>;
  readonly #handler: DeltaHandler<T>;
  readonly #host: DeliveryHost<T>;
  readonly #fifo = new DeltaFifo<State<T>>();
  readonly #resolveSynced: () => void;
  /** Of the keys that waited when all that was there at the beginning had been pushed, how many still do; undefined before that. */
  #initialKeys: number | undefined;
  /** Whether the handler is not finished with a delta. */
  #isBusy = false;
  /** Whether that takes it longer than its call. */
  #isSlow = false;
  #isOver = false;

  constructor(handler: DeltaHandler<T>, host: DeliveryHost<T>) {
    this.#handler = handler;
    this.#host = host;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#resolveSynced = resolve;
  }

  get pending(): number {
    return this.#fifo.size;
  }

  resync(): void {
    for (const [key, object] of this.#host.states()) this.push({ type: "Sync", key, object, writer: undefined });
    this.pump();
  }

  /** Queues a delta; `pump` tells it. */
  push(delta: Delta<State<T>>): void {
    if (this.#isOver) return;
    if (this.#isSlow) this.#fifo.merge(delta);
    else this.#fifo.append(delta);
  }

  /** Notes that all that was there at the beginning has been pushed. */
  complete(): void {
    this.#initialKeys = this.#fifo.size;
  }

  /** Tells what is queued, unless the handler is busy. */
  pump(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let delta = this.#next(); delta !== undefined; delta = this.#next()) {
      const done = this.#tell(lazyDelta(delta));
      if (done === undefined) continue;
      this.#isSlow = true;
      void done.then(() => this.#resume());
      return;
    }
    this.#isBusy = false;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#host.onDispose();
  }

  /** The handler is done with what it was told; what it is to be told next. */
  #next(): Delta<State<T>> | undefined {
    const { size } = this.#fifo;
    if (this.#initialKeys !== undefined && (this.#initialKeys <= 0 || size === 0 || this.#isOver)) this.#resolveSynced();
    if (this.#isOver) return undefined;
    const delta = this.#fifo.shift();
    // A key that was deleted and came back has two deltas, one after the other.
    if (this.#initialKeys !== undefined) this.#initialKeys -= size - this.#fifo.size;
    return delta;
  }

  #resume(): void {
    this.#isBusy = false;
    this.#isSlow = false;
    this.pump();
  }

  /** Nothing if the handler is done, or a promise of that, which never rejects. */
  #tell(delta: DeliveredDelta<T>): Promise<void> | undefined {
    try {
      const result = this.#handler(delta);
      return result?.then(undefined, (error: unknown) => this.#host.onFailure(error, delta));
    } catch (error) {
      this.#host.onFailure(error, delta);
      return undefined;
    }
  }
}
