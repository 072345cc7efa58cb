import type { RunningController } from "../controller/running-controller.ts";
import { awaitSync } from "./await-sync.ts";
import type { SyncOptions } from "./await-sync.ts";
import type { Runnable } from "./runnable.ts";

/** A controller as a part of a program: it fails when it does not get what it mirrors. */
export function controllerRunnable(running: RunningController, options: SyncOptions): Runnable {
  const name = `controller ${running.controller.name}`;
  return {
    name,
    ready: running.synced,
    get underWay() {
      return running.underWay;
    },
    async run(signal) {
      const failure = new AbortController();
      const scope = AbortSignal.any([signal, failure.signal]);
      const asked = { ...options, who: name, verbs: ["get", "list", "watch"] };
      const syncing = awaitSync(running, asked, scope).catch((error: unknown) => failure.abort(error));
      await running.run(scope);
      if (!scope.aborted) failure.abort(new Error(`${name} stopped unexpectedly`));
      await syncing;
      if (failure.signal.aborted) throw failure.signal.reason;
    },
  };
}
