import type { KubeClient } from "@kaji/client";
import type { Clock } from "@kaji/core";
import type { Controller, CountedOutcome, ReconcileEnd } from "@kaji/runtime";
import type { ReconcileListener } from "./reconcile-observer.ts";
import { stillThere } from "./still-there.ts";
import type { Reconciled } from "./still-there.ts";
import { emitWarning } from "./test-warning.ts";

/** More are not named. */
const mostNames = 3;

interface WaitingRequeue extends Reconciled {
  readonly saidMs: number;
}

/**
 * The objects whose last reconcile said `requeue()`, which waits for time, be it milliseconds: in a test in which none goes by they never come again, and `settled` does not wait for them. Whoever believes that it does
 * looks for the bug in the operator.
 */
export class WaitingRequeues implements ReconcileListener {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #waiting = new Map<string, WaitingRequeue>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  reconciled(controller: string, outcome: CountedOutcome, _durationMs: number, { key }: ReconcileEnd): void {
    const id = `${controller} ${key}`;
    if (outcome === "Requeue") this.#waiting.set(id, { controller, key, saidMs: this.#clock.monotonic() });
    else this.#waiting.delete(id);
  }

  /** Tells of those that no time has gone by for, and that are still there. */
  async tell(client: KubeClient, controllers: readonly Controller[]): Promise<void> {
    const waiting = this.#waiting.values().filter(({ saidMs }) => saidMs >= this.#clock.monotonic());
    const names = (await stillThere(waiting, client, controllers)).map(({ controller, key }) => `${controller} ${key}`);
    if (names.length === 0) return;
    const others = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
    emitWarning(
      `the test has ended before ${names.slice(0, mostNames).join(", ")}${others} came again, as requeue() asks for: settled() does not wait for that, since time stands still in a test; advance("1s") lets it come`,
    );
  }
}
