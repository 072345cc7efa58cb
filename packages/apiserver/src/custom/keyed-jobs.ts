import type { Clock } from "@kaji/core";
import type { TellTrouble } from "../trouble.ts";

/** How long a job that failed waits until it is tried again. */
const retryAfterMs = 1000;

/** For what kind of objects jobs are, and who is told when they fail. */
export interface KeyedJobsOptions {
  readonly clock: Clock;
  readonly kind: string;
  readonly tell: TellTrouble;
}

/**
 * Runs a job for each key it is given, at once and never twice at the same time for one key.
 * A key given while its job runs gets another run after it; a job that fails is tried again.
 */
export class KeyedJobs implements AsyncDisposable {
  readonly #options: KeyedJobsOptions;
  readonly #run: (key: string, signal: AbortSignal) => Promise<void>;
  #isStopped = false;
  /** Asks what runs to end; made with the first job, which many servers never have. */
  #stop: AbortController | undefined;
  /** Jobs under way, by key. */
  readonly #running = new Map<string, Promise<void>>();
  /** Keys to run again. A subset of `#running`. */
  readonly #again = new Set<string>();
  readonly #retries = new Map<string, Disposable>();
  /** How often in a row the jobs have failed that did, by key. */
  readonly #failures = new Map<string, number>();

  constructor(options: KeyedJobsOptions, run: (key: string, signal: AbortSignal) => Promise<void>) {
    this.#options = options;
    this.#run = run;
  }

  /** Runs the job of a key. */
  add(key: string): void {
    if (this.#isStopped) return;
    this.#retries.get(key)?.[Symbol.dispose]();
    this.#retries.delete(key);
    if (this.#running.has(key)) this.#again.add(key);
    else this.#begin(key);
  }

  /** Starts nothing any more, and waits for the jobs under way, which are asked to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#stop?.abort();
    for (const timer of this.#retries.values()) timer[Symbol.dispose]();
    await Promise.all(this.#running.values());
  }

  #begin(key: string): void {
    // Before the job begins, which may give its own key again.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.set(key, promise);
    void this.#work(key).then(resolve);
  }

  async #work(key: string): Promise<void> {
    const { signal } = (this.#stop ??= new AbortController());
    do {
      this.#again.delete(key);
      await this.#attempt(key, signal);
    } while (this.#again.has(key) && !signal.aborted);
    this.#running.delete(key);
    if (!this.#failures.has(key) || signal.aborted) return;
    this.#retries.set(
      key,
      this.#options.clock.timer(retryAfterMs, () => this.add(key)),
    );
  }

  async #attempt(key: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#run(key, signal);
      this.#failures.delete(key);
    } catch (error) {
      this.#noteFailure(key, error, signal);
    }
  }

  /** Told once, and not the first time: what a second try mends is nobody's concern. */
  #noteFailure(key: string, error: unknown, signal: AbortSignal): void {
    const times = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, times);
    const { kind, tell } = this.#options;
    if (times === 2 && !signal.aborted) tell({ error, kind, object: key });
  }
}
