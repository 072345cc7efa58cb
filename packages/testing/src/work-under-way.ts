import { systemClock } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { RunningController } from "@kaji/runtime";
import { emitWarning } from "./test-warning.ts";

/** How long nothing may happen until who moves time need not wait any more. */
const patienceMs = 1000;

/** How long nothing may happen until a test is told what it waits for. */
const silenceMs = 3000;

/** More than that between two looks is no waiting of ours: a busy machine had no time for this process. */
const longestTurnMs = 50;

/** What is asked of the work of a controller. */
type Worker = Pick<RunningController, "load" | "underWay"> & { readonly controller: Pick<RunningController["controller"], "name"> };

/**
 * The work of controllers that a test waits for. A reconcile that waits itself, for a deadline or for somebody outside who does not answer, may wait for time: that stands still in a test, so that who
 * moves it goes on, and who does not is told.
 */
export class WorkUnderWay {
  readonly #workers: readonly Worker[];
  readonly #clock: Clock;
  readonly #warn: (text: string) => void;
  #seen = "";
  #lookedMs = 0;
  #waitedMs = 0;
  #isTold = false;
  #isTimeMoved = false;

  constructor(workers: readonly Worker[], clock: Clock = systemClock, warn: (text: string) => void = emitWarning) {
    this.#workers = workers;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Whether there is something to wait for. */
  isBusy(): boolean {
    const busy = this.#workers.filter(({ load }) => load.queued + load.inFlight + load.looking > 0);
    const seen = busy
      .map(({ controller, underWay }) => `controller ${controller.name} (at ${underWay.join(", ") || "a source"})`)
      .join(" and ");
    const nowMs = this.#clock.monotonic();
    this.#waitedMs += Math.min(nowMs - this.#lookedMs, longestTurnMs);
    this.#lookedMs = nowMs;
    if (seen !== this.#seen) [this.#seen, this.#waitedMs, this.#isTold] = [seen, 0, false];
    if (busy.length === 0) return false;
    if (this.#isTimeMoved) return this.#waitedMs < patienceMs;
    if (this.#waitedMs >= silenceMs && !this.#isTold) this.#tell(seen);
    return true;
  }

  /** Moves time: what has waited for long is not waited for. */
  async whileTimeMoves(move: () => Promise<void>): Promise<void> {
    this.#isTimeMoved = true;
    try {
      await move();
    } finally {
      this.#isTimeMoved = false;
    }
  }

  #tell(seen: string): void {
    this.#isTold = true;
    this.#warn(
      `settled() waits for ${seen}, where nothing has changed for 3 s. If that waits for time, which stands still in a test: advance("10s") lets it go by`,
    );
  }
}
