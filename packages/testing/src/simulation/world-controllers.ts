import { KubeClient } from "@kaji/client";
import type { Clock, Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { createLog, runController } from "@kaji/runtime";
import type { RunningController } from "@kaji/runtime";
import { worldManager } from "./actors/actor.ts";
import type { Actor } from "./actors/actor.ts";
import { OpenWatches } from "./open-watches.ts";
import { requestTarget } from "./request-target.ts";
import type { FrameFate } from "./watch-stream.ts";

/** What controllers of the world run on. */
export interface WorldControllersOptions {
  readonly server: Transport;
  readonly clock: Clock;
  readonly seed: number;
}

/** What waits for longer than this is nothing that the world has left to do. */
const soonMs = 10_000;

/** Controllers that belong to the world, as those of Kubernetes do: no fault strikes them, nobody judges them, and they hear of each change at once. */
export class WorldControllers {
  readonly #server: Transport;
  readonly #running: readonly RunningController[] = [];
  readonly #end = new AbortController();
  readonly #watches: OpenWatches;
  #isSynced: boolean;

  constructor(actors: readonly Actor[], { server, clock, seed }: WorldControllersOptions) {
    const controllers = actors.flatMap((actor) => actor.controllers ?? []);
    this.#server = server;
    this.#watches = new OpenWatches(clock);
    this.#isSynced = controllers.length === 0;
    if (this.#isSynced) return;
    const tools = { clock, random: seededRandom(seed) };
    const client = new KubeClient(this.#transport, { ...tools, fieldManager: worldManager, onWarning: () => {} });
    const informers = new Informers({ ...tools, source: client.listerWatcher });
    const log = createLog(process.stderr, { level: "silent", clock });
    const environment = { ...tools, client, informers, log, recorder: { event: () => {} } };
    this.#running = controllers.map((controller) => runController(controller, environment));
    void informers.run(this.#end.signal);
    for (const each of this.#running) void each.run(this.#end.signal);
    void Promise.all(this.#running.map(({ synced }) => synced)).then(() => (this.#isSynced = true));
  }

  /** Whether they have something left to do, or to hear of. */
  get isBusy(): boolean {
    const isDue = ({ load: { queued, inFlight, nextDueInMs = Infinity } }: RunningController): boolean =>
      queued + inFlight > 0 || nextDueInMs < soonMs;
    return !this.#isSynced || this.#watches.isBusy || this.#running.some(isDue);
  }

  dispose(): void {
    this.#end.abort(over);
  }

  readonly #transport: Transport = async (request) => {
    const response = await this.#server(request);
    if (requestTarget(request)?.verb !== "watch" || response.status !== 200) return response;
    return this.#watches.open(request, response, () => atOnce);
  };
}

const atOnce: FrameFate = { type: "Deliver", delayMs: 0 };

/** Nobody is told why; an error made each time would take its stack with it. */
const over = new Error("the run is over");
