import type { Clock } from "@kaji/core";
import type { Log } from "@kaji/runtime";
import { logTrouble } from "./log-trouble.ts";

/** How long after a refusal a key is tried again. */
const retryMs = 1000;

/** Where failures are told, and of which kind the objects of the keys are. */
export interface ToldFailures {
  readonly log: Log;
  readonly kind: string;
}

/** Works on one key at a time, each as often as it was asked for since; for controllers that are part of the API server itself. */
export class KeyedWorker implements Disposable {
  readonly #clock: Clock;
  /** Does what there is to do for a key, and resolves to whether it has to be tried again later. */
  readonly #work: (key: string) => Promise<"Done" | "Retry">;
  readonly #pending = new Set<string>();
  readonly #retries = new Map<string, Disposable>();
  readonly #told: ToldFailures;
  /** How often in a row the keys have failed that did. */
  readonly #failures = new Map<string, number>();
  #isOver = false;
  #working: Promise<void> | undefined;

  constructor(clock: Clock, told: ToldFailures, work: (key: string) => Promise<"Done" | "Retry">) {
    this.#clock = clock;
    this.#told = told;
    this.#work = work;
  }

  add(key: string): void {
    if (this.#isOver) return;
    this.#pending.add(key);
    this.#begin();
  }

  /** Whether there is something to do but what has to be tried again. */
  get isBusy(): boolean {
    return this.#working !== undefined;
  }

  /** Resolves when nothing is left to do but what has to be tried again. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#pending.clear();
    for (const timer of this.#retries.values()) timer[Symbol.dispose]();
    this.#retries.clear();
  }

  #begin(): void {
    if (this.#pending.size === 0 || this.#working !== undefined) return;
    this.#working = this.#run().finally(() => {
      this.#working = undefined;
      // What came when all was done, and before that was noted.
      this.#begin();
    });
  }

  async #run(): Promise<void> {
    // Storage tells of a change before its writer hears of it; let the writer go first.
    await Promise.resolve();
    for (const key of this.#pending) {
      this.#pending.delete(key);
      if ((await this.#outcome(key)) === "Retry") this.#tryAgain(key);
    }
  }

  /** Whatever goes wrong with one key, as when a disk is full, must end neither the server nor the work on others. */
  async #outcome(key: string): Promise<"Done" | "Retry"> {
    try {
      const outcome = await this.#work(key);
      this.#failures.delete(key);
      return outcome;
    } catch (error) {
      this.#tell(key, error);
      return "Retry";
    }
  }

  /** Once, and not the first time: what a second look mends, such as a namespace that began to end meanwhile, is nobody's concern. */
  #tell(key: string, error: unknown): void {
    const times = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, times);
    const { log, kind } = this.#told;
    if (times === 2 && !this.#isOver) logTrouble(log)({ error, kind, object: key });
  }

  #tryAgain(key: string): void {
    if (this.#isOver) return;
    this.#retries.get(key)?.[Symbol.dispose]();
    const timer = this.#clock.timer(retryMs, () => {
      this.#retries.delete(key);
      this.add(key);
    });
    this.#retries.set(key, timer);
  }
}
