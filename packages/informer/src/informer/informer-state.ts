import type { Clock } from "@kaji/core";

/** How an informer is doing. */
export type InformerState =
  /** It is not running; what it has is as old as when it stopped. */
  | { readonly type: "Stopped" }
  /** It has not got everything yet. */
  | { readonly type: "Syncing" }
  /** It has everything, and follows what happens. */
  | { readonly type: "Synced" }
  /** The server refuses, does not answer, or answers nonsense, since then by the monotonic clock. It keeps trying; what it has stays, and was complete once if `isSynced`. */
  | { readonly type: "Failing"; readonly error: unknown; readonly isSynced: boolean; readonly sinceMs: number };

/** The state of an informer of several parts: the worst of any part. */
export class StateTracker {
  readonly synced: Promise<void>;
  readonly #resolveSynced: () => void;
  readonly #parts: { isSynced: boolean; failure: { readonly error: unknown; readonly sinceMs: number } | undefined }[];
  readonly #listeners = new Set<(state: InformerState) => void>();
  #isRunning = false;
  #state: InformerState = { type: "Stopped" };
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #onFailure: (error: unknown) => void;

  /** What a listener throws is reported. */
  constructor(parts: number, clock: Pick<Clock, "monotonic">, onFailure: (error: unknown) => void) {
    this.#clock = clock;
    this.#onFailure = onFailure;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#resolveSynced = resolve;
    this.#parts = Array.from({ length: parts }, () => ({ isSynced: false, failure: undefined }));
  }

  get state(): InformerState {
    return this.#state;
  }

  get isSynced(): boolean {
    return this.#parts.every(({ isSynced }) => isSynced);
  }

  /** Calls back with each new state. */
  listen(listener: (state: InformerState) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  setRunning(isRunning: boolean): void {
    this.#isRunning = isRunning;
    this.#update();
  }

  /** A part has got everything; true if it was the last one to. */
  setSynced(index: number): boolean {
    const part = this.#parts[index];
    if (part === undefined || part.isSynced) return false;
    part.isSynced = true;
    this.#update();
    if (this.isSynced) this.#resolveSynced();
    return this.isSynced;
  }

  /** A part fails, or, without a failure, is well again; true if it failed before. */
  setFailure(index: number, failure?: { readonly error: unknown }): boolean {
    const part = this.#parts[index];
    if (part === undefined) return false;
    const before = part.failure;
    part.failure = failure && { error: failure.error, sinceMs: before?.sinceMs ?? this.#clock.monotonic() };
    this.#update();
    return before !== undefined;
  }

  #update(): void {
    const next = this.#compute();
    const { type, error } = { error: undefined, ...this.#state };
    if (next.type === type && (next.type !== "Failing" || next.error === error)) return;
    this.#state = next;
    for (const listener of this.#listeners) {
      try {
        listener(next);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }

  #compute(): InformerState {
    if (!this.#isRunning) return { type: "Stopped" };
    const [failure, ...more] = this.#parts.flatMap((part) => part.failure ?? []);
    if (failure !== undefined) {
      const sinceMs = Math.min(failure.sinceMs, ...more.map((other) => other.sinceMs));
      return { type: "Failing", error: failure.error, isSynced: this.isSynced, sinceMs };
    }
    return { type: this.isSynced ? "Synced" : "Syncing" };
  }
}
