import { aborted, sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { LeaseLostError } from "../election/lease-lost-error.ts";
import { WorkLeftError } from "../election/work-left-error.ts";
import type { Log } from "../log/log.ts";
import type { Runnable } from "./runnable.ts";

/**
 * The stages of a program, in the order in which they start: each begins when all before it are ready, and ends when all after it have ended. Webhooks come before caches, since a
 * server may have to convert what it lists; the lease is released when no controller is left that could write.
 */
export const stages = ["servers", "webhooks", "caches", "election", "controllers"] as const;

/** One of the stages. */
export type ManagerStage = (typeof stages)[number];

/** What a manager works with. */
export interface ManagerOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How long what is under way may take to end, all stages together. Default 30 s. */
  readonly shutdownMs?: number | undefined;
}

/** How long a runnable may take to stop after `abandon`; a controller gives its reconciles a second of it. */
const abandonedMs = 2000;

interface Running {
  readonly stage: ManagerStage;
  readonly runnable: Runnable;
  readonly end: AbortController;
  readonly settled: Promise<void>;
  isSettled: boolean;
}

/** Runs the runnables of a program: starts them in order of their stages, stops them in reverse, and stops all when one fails. */
export class Manager {
  /** Aborted when work under way is to be abandoned: the lease is lost, or the shutdown timeout is over. */
  readonly abandon: AbortSignal;
  readonly #options: ManagerOptions;
  readonly #added: { readonly stage: ManagerStage; readonly runnable: Runnable }[] = [];
  readonly #abandon = new AbortController();
  readonly #failure = new AbortController();
  /** In the order of their start. */
  readonly #running: Running[] = [];

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.abandon = this.#abandon.signal;
  }

  /** Adds a runnable; to be called before `run`. */
  add(stage: ManagerStage, runnable: Runnable): void {
    this.#added.push({ stage, runnable });
  }

  /**
   * Runs everything until it is aborted and has stopped. Rejects with the first failure of a runnable, once the others have stopped; with a `WorkLeftError` that names those that did not stop in time.
   */
  async run(signal: AbortSignal): Promise<void> {
    const stopping = AbortSignal.any([signal, this.#failure.signal]);
    try {
      await this.#start(stopping);
      await aborted(stopping);
    } finally {
      await this.#stop();
    }
    if (this.#failure.signal.aborted) throw this.#failure.signal.reason;
    // Even if every runnable has stopped by now: work was abandoned, so that the shutdown was not clean.
    this.abandon.throwIfAborted();
  }

  async #start(stopping: AbortSignal): Promise<void> {
    for (const stage of stages) {
      const started = this.#added.filter((added) => added.stage === stage).map(({ runnable }) => this.#launch(stage, runnable));
      await Promise.race([Promise.all(started.map(async ({ runnable }) => runnable.ready)), aborted(stopping)]);
      if (stopping.aborted) return;
    }
    this.#options.log.debug("all runnables are running");
  }

  #launch(stage: ManagerStage, runnable: Runnable): Running {
    const end = new AbortController();
    const fail = (error: unknown): void => {
      this.#options.log.debug({ err: error, runnable: runnable.name }, "runnable failed");
      this.#failure.abort(error);
      // Without the lease no write passes, so that it is useless to wait for reconciles.
      if (error instanceof LeaseLostError) this.#abandon.abort(error);
    };
    const settled = Promise.try(() => runnable.run(end.signal))
      .then(() => (end.signal.aborted ? undefined : fail(new Error(`${runnable.name} stopped unexpectedly`))), fail)
      .finally(() => void (running.isSettled = true));
    const running: Running = { stage, runnable, end, settled, isSettled: false };
    this.#running.push(running);
    return running;
  }

  async #stop(): Promise<void> {
    const { clock, shutdownMs = 30_000 } = this.#options;
    using _timer = clock.timer(shutdownMs, () => this.#abandon.abort(workLeft(this.#left(), `within ${shutdownMs / 1000} s`)));
    for (const stage of stages.toReversed()) {
      const ending = this.#running.filter((running) => running.stage === stage);
      const left = this.#left();
      for (const { end } of ending) end.abort(left.length === 0 ? undefined : workLeft(left, "in time"));
      const ended = Promise.all(ending.map(({ settled }) => settled));
      await Promise.race([ended, aborted(this.abandon).then(() => this.#lastMoment(ended))]);
    }
  }

  async #lastMoment(ended: Promise<unknown>): Promise<void> {
    const enough = new AbortController();
    await Promise.race([ended, sleepUnlessAborted(this.#options.clock, abandonedMs, enough.signal)]);
    enough.abort();
  }

  /** Runnables that were told to stop, and have not. */
  #left(): Running[] {
    return this.#running.filter(({ end, isSettled }) => end.signal.aborted && !isSettled);
  }
}

function workLeft(left: readonly Running[], when: string): WorkLeftError {
  return new WorkLeftError(`${left.map(({ runnable }) => named(runnable)).join(", ")} did not stop ${when}`);
}

/** So many things under way are named. */
const mostNamed = 3;

function named({ name, underWay = [] }: Runnable): string {
  if (underWay.length === 0) return name;
  const more = underWay.length > mostNamed ? ` and ${underWay.length - mostNamed} more` : "";
  return `${name} (still at ${underWay.slice(0, mostNamed).join(", ")}${more})`;
}
