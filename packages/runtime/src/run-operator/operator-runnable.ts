import { aborted } from "@kaji/core";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { RunningController } from "../controller/running-controller.ts";
import type { Runnable } from "../manager/runnable.ts";

/** What a part of one's own may use of the operator that it runs in: `runController(controller, services)` makes one more controller for it to run. */
export interface OperatorServices extends ControllerEnvironment {
  /** The controllers of the operator by their names: they can be asked for an object, and be given one more kind to watch. */
  readonly controllers: ReadonlyMap<string, RunningController>;
}

/** A part of an operator beside its controllers. What it asks the server for is declared by one of them, in `uses`, so that the role of the operator allows it. */
export interface OperatorRunnable extends Omit<Runnable, "run"> {
  /** Whether it runs on the elected leader alone, as controllers do. Default false: it runs in each replica, from before the controllers until after them. */
  readonly needsLeader?: boolean | undefined;
  /** Works until it is done or aborted. Whatever it throws ends the program. */
  run(signal: AbortSignal, services: OperatorServices): Promise<void>;
}

/** A part of an operator for its manager: one that is done is no failure. */
export function runnableOf(part: OperatorRunnable, services: OperatorServices): Runnable {
  return {
    name: part.name,
    ready: part.ready,
    async run(signal) {
      const over = aborted(signal);
      if (part.needsLeader === true) await Promise.race([services.elected, over]);
      if (!signal.aborted) await part.run(signal, services);
      await over;
    },
  };
}
