import type { Clock } from "@kaji/core";

/** How long a job that failed waits until it is tried again. */
const retryAfterMs = 1000;

/**
 * Runs a job for each key it is given, at once and never twice at the same time for one key.
 * A key given while its job runs gets another run after it; a job that fails is tried again.
 */
export class KeyedJobs implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #run: (key: string, signal: AbortSignal) => Promise<void>;
  readonly #onError: (error: unknown, key: string) => void;
  #isStopped = false;
  /** Asks what runs to end; made with the first job, which many servers never have. */
  #stop: AbortController | undefined;
  /** Jobs under way, by key. */
  readonly #running = new Map<string, Promise<void>>();
  /** Keys to run again. A subset of `#running`. */
  readonly #again = new Set<string>();
  readonly #retries = new Map<string, Disposable>();

  constructor(clock: Clock, run: (key: string, signal: AbortSignal) => Promise<void>, onError: (error: unknown, key: string) => void) {
    this.#clock = clock;
    this.#run = run;
    this.#onError = onError;
  }

  /** Runs the job of a key. */
  add(key: string): void {
    if (this.#isStopped) return;
    this.#retries.get(key)?.[Symbol.dispose]();
    this.#retries.delete(key);
    if (this.#running.has(key)) this.#again.add(key);
    else this.#running.set(key, this.#work(key));
  }

  /** Starts nothing any more, and waits for the jobs under way, which are asked to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#stop?.abort();
    for (const timer of this.#retries.values()) timer[Symbol.dispose]();
    await Promise.all(this.#running.values());
  }

  async #work(key: string): Promise<void> {
    const { signal } = (this.#stop ??= new AbortController());
    try {
      do {
        this.#again.delete(key);
        await this.#run(key, signal);
      } while (this.#again.has(key) && !signal.aborted);
    } catch (error) {
      this.#onError(error, key);
      if (!signal.aborted)
        this.#retries.set(
          key,
          this.#clock.timer(retryAfterMs, () => this.add(key)),
        );
    } finally {
      this.#running.delete(key);
    }
  }
}
