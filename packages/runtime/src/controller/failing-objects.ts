import type { Clock, ObjectKey } from "@kaji/core";
import type { ReconcileOutcome } from "../reconcile/reconcile-outcome.ts";

/** The objects whose last reconcile failed, and since when that has been so. */
export class FailingObjects {
  readonly #clock: Clock;
  readonly #since = new Map<ObjectKey, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes how a reconcile of the object has ended. */
  note(key: ObjectKey, outcome: ReconcileOutcome): void {
    switch (outcome.type) {
      case "Error":
      case "Timeout":
      case "TerminalError":
        if (!this.#since.has(key)) this.#since.set(key, this.#clock.monotonic());
        return;
      case "Done":
      case "RecheckAfter":
      case "RequeueAfter":
      case "Requeue":
        this.#since.delete(key);
        return;
      // None of them says anything about the object.
      case "Conflict":
      case "NamespaceEnding":
      case "Aborted":
        return;
      default:
        outcome satisfies never;
    }
  }

  /** For how long an object has failed; undefined if it does not. */
  forMs(key: ObjectKey): number | undefined {
    const since = this.#since.get(key);
    return since === undefined ? undefined : this.#clock.monotonic() - since;
  }

  /** How many there are, of those that count. */
  count(isCounted: (key: ObjectKey) => boolean): number {
    let count = 0;
    for (const key of this.#since.keys()) if (isCounted(key)) count++;
    return count;
  }
}
