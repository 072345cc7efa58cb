import type { RunningController } from "../controller/running-controller.ts";
import { awaitSync } from "./await-sync.ts";
import type { SyncOptions } from "./await-sync.ts";
import type { Runnable } from "./runnable.ts";

/** A controller as a part of a program: it fails when it does not get what it mirrors. */
export function controllerRunnable(running: RunningController, options: SyncOptions): Runnable {
  return {
    name: `controller ${running.controller.name}`,
    ready: running.synced,
    get underWay() {
      return running.underWay;
    },
    async run(signal) {
      const failure = new AbortController();
      const scope = AbortSignal.any([signal, failure.signal]);
      const syncing = awaitSync(running, options, scope).catch((error: unknown) => failure.abort(error));
      await running.run(scope);
      if (!scope.aborted) failure.abort(new Error(`controller ${running.controller.name} stopped unexpectedly`));
      await syncing;
      if (failure.signal.aborted) throw failure.signal.reason;
    },
  };
}
