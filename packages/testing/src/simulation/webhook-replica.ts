import { KubeClient } from "@kaji/client";
import { errorMessage } from "@kaji/core";
import type { Clock, Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import type { InProcessWebhooks } from "../in-process-webhooks.ts";
import type { Trace } from "./trace.ts";

/** What the replica is made of. */
export interface WebhookReplicaOptions {
  readonly webhooks: InProcessWebhooks;
  /** The server as the operator's account sees it. */
  readonly server: Transport;
  readonly clock: Clock;
  readonly seed: number;
  readonly trace: Trace;
}

/** The replica of the operator that answers webhooks: it is there in all lives of the others, and what it mirrors is its own. */
export class WebhookReplica {
  readonly #end = new AbortController();
  #isSynced = false;

  constructor({ webhooks, server, clock, seed, trace }: WebhookReplicaOptions) {
    const tools = { clock, random: seededRandom(seed) };
    const client = new KubeClient(server, { ...tools, onWarning: () => {} });
    const informers = new Informers({ ...tools, source: client.listerWatcher });
    const mirrors = webhooks.connect(client, { clock, informers });
    void informers.run(this.#end.signal);
    void mirrors.run(this.#end.signal).catch((error: unknown) => {
      trace.add({ type: "Error", life: 0, text: errorMessage(error), kind: "Other" });
    });
    void mirrors.synced.then(() => (this.#isSynced = true));
  }

  get isBusy(): boolean {
    return !this.#isSynced;
  }

  dispose(): void {
    this.#end.abort(over);
  }
}

/** Nobody is told why; an error made each time would take its stack with it. */
const over = new Error("the run is over");
