import { systemClock } from "@kaji/core";
import type { ManualClock } from "@kaji/core/testing";

/** How time goes by while a scenario is played. */
export interface Pace {
  /** Resolves when the server has said what it has to say for now. */
  quiet(): Promise<void>;
  /** Waits for what may take the server some of its own time. */
  whileWaiting<T>(answer: Promise<T>): Promise<T>;
}

/** For a server in this process that takes no time. */
export const eager: Pace = { quiet: severalTurns, whileWaiting: (answer) => answer };

/** For a server elsewhere, whose time is that of the wall. */
export const realTime: Pace = { quiet: () => systemClock.sleep(300), whileWaiting: (answer) => answer };

/** For a server in this process whose clock goes on only when somebody would otherwise wait for ever. */
export function byClock(clock: ManualClock): Pace {
  return {
    quiet: severalTurns,
    async whileWaiting(answer) {
      let isSettled = false;
      const settled = answer.then(
        () => (isSettled = true),
        () => (isSettled = true),
      );
      for (;;) {
        await Promise.race([severalTurns(), settled]);
        if (isSettled) return answer;
        await clock.advance(500);
      }
    },
  };
}

/** Enough turns of the event loop for one thing to lead to another. */
async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
