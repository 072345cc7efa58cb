/** How an informer is doing. */
export type InformerState =
  /** It is not running; what it has is as old as when it stopped. */
  | { readonly type: "Stopped" }
  /** It has not got everything yet. */
  | { readonly type: "Syncing" }
  /** It has everything, and follows what happens. */
  | { readonly type: "Synced" }
  /** The server refuses, does not answer, or answers nonsense. It keeps trying; what it has stays, and was complete once if `isSynced`. */
  | { readonly type: "Failing"; readonly error: unknown; readonly isSynced: boolean };

/** The state of an informer of several parts: the worst of any part. */
export class StateTracker {
  readonly synced: Promise<void>;
  readonly #resolveSynced: () => void;
  readonly #parts: { isSynced: boolean; failure: { readonly error: unknown } | undefined }[];
  readonly #listeners = new Set<(state: InformerState) => void>();
  #isRunning = false;
  #state: InformerState = { type: "Stopped" };

  readonly #onFailure: (error: unknown) => void;

  /** What a listener throws is reported. */
  constructor(parts: number, onFailure: (error: unknown) => void) {
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
    const hasFailed = part.failure !== undefined;
    part.failure = failure;
    this.#update();
    return hasFailed;
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
    const failure = this.#parts.find((part) => part.failure !== undefined)?.failure;
    if (failure !== undefined) return { type: "Failing", error: failure.error, isSynced: this.isSynced };
    return { type: this.isSynced ? "Synced" : "Syncing" };
  }
}
