import type { Clock } from "@kaji/core";
import type { CountedOutcome, EventRecorder, ReconcileEnd } from "@kaji/runtime";
import type { ReconcileListener } from "./reconcile-observer.ts";

/** So often an object is reconciled at one moment by an operator that was warned of a loop, and so often by any: thousands of children may become ready at once. */
const mostReconciles = { inLoop: 500, ever: 5000 };

/** Notices an operator that never comes to rest, since it reconciles an object again and again at the same moment. Time stands still in a test: nothing else would end it. */
export class EndlessWork implements ReconcileListener {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #end: () => void;
  readonly #counts = new Map<string, number>();
  #atMs = -1;
  #found: string | undefined;
  #isTold = false;
  /** What the operator was last warned of as a loop. */
  #loop = "";

  /** `end`: ends the operator. */
  constructor(clock: Pick<Clock, "monotonic">, end: () => void) {
    this.#clock = clock;
    this.#end = end;
  }

  reconciled(controller: string, _outcome: CountedOutcome, _durationMs: number, { key }: ReconcileEnd): void {
    if (this.#clock.monotonic() !== this.#atMs) this.begin();
    const id = `${controller} ${key}`;
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    if (count < (this.#loop === "" ? mostReconciles.ever : mostReconciles.inLoop) || this.isFound) return;
    this.#found = `controller ${controller} has reconciled ${key} ${count} times at the same moment, and was ended since it does not come to rest`;
    this.#end();
  }

  /** Counts anew: what was before, the test may have asked for. */
  begin(): void {
    this.#atMs = this.#clock.monotonic();
    this.#counts.clear();
  }

  /** The same recorder; what it says of loops is remembered. */
  hearing(recorder: EventRecorder): EventRecorder {
    return {
      event: (about, event) => {
        if (event.reason === "WriteLoop") this.#loop = `: ${event.message}`;
        recorder.event(about, event);
      },
    };
  }

  get isFound(): boolean {
    return this.#found !== undefined;
  }

  /** Throws what was found, once. */
  check(): void {
    if (this.#found === undefined || this.#isTold) return;
    this.#isTold = true;
    throw new Error(this.#found + this.#loop);
  }
}
