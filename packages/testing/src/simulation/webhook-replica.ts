import { KubeClient } from "@kaji/client";
import { errorMessage } from "@kaji/core";
import type { Clock, Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import type { TestedWebhooks } from "../tested-webhooks.ts";
import { describeFault } from "./describe-fault.ts";
import type { HeardEvent } from "./heard-event.ts";
import { OpenWatches } from "./open-watches.ts";
import { lagMs } from "./operator-link.ts";
import type { LinkOptions } from "./operator-link.ts";
import { requestTarget } from "./request-target.ts";
import type { RequestTarget } from "./request-target.ts";
import type { FrameFate } from "./watch-stream.ts";

/** What the replica is made of. */
export interface WebhookReplicaOptions extends Pick<LinkOptions, "changedAt" | "idOf" | "injector" | "server" | "trace"> {
  readonly webhooks: TestedWebhooks;
  readonly clock: Clock;
  readonly seed: number;
}

/**
 * The replica of the operator that answers webhooks: it is there in all lives of the others, and what it mirrors is its own. It hears of a change at once, so that users' operations, however fast they follow each other, are
 * judged as they are when nothing goes wrong; unless a fault lets it hear late, and nobody else does anything until it has.
 */
export class WebhookReplica {
  readonly #options: WebhookReplicaOptions;
  readonly #end = new AbortController();
  readonly #watches: OpenWatches;
  #isSynced = false;

  constructor(options: WebhookReplicaOptions) {
    this.#options = options;
    const { webhooks, clock, seed, trace } = options;
    this.#watches = new OpenWatches(clock);
    const tools = { clock, random: seededRandom(seed) };
    const client = new KubeClient(this.#transport, { ...tools, onWarning: () => {} });
    const informers = new Informers({ ...tools, source: client.listerWatcher });
    const mirrors = webhooks.connect(client, { clock, informers });
    void informers.run(this.#end.signal);
    void mirrors.run(this.#end.signal).catch((error: unknown) => {
      trace.add({ type: "Error", life: 0, text: errorMessage(error), kind: "Other" });
    });
    void mirrors.synced.then(() => (this.#isSynced = true));
  }

  /** Whether it has not heard of all that there is. */
  get isBusy(): boolean {
    return !this.#isSynced || this.#watches.isBusy;
  }

  dispose(): void {
    this.#end.abort(over);
  }

  readonly #transport: Transport = async (request) => {
    const target = requestTarget(request);
    const response = await this.#options.server(request);
    if (target?.verb !== "watch" || response.status !== 200) return response;
    return this.#watches.open(request, response, (change) => this.#fateOf(change, target));
  };

  #fateOf(event: HeardEvent | undefined, target: RequestTarget): FrameFate {
    if (event === undefined) return atOnce;
    const { injector, trace, idOf, changedAt } = this.#options;
    const { type, version } = event;
    const object = changedAt(version) ?? idOf({ ...target, ...event.address() }, null);
    const anchor = injector.anchorOfWebhookEvent(`${type} ${object}`);
    trace.add({ type: "WebhookHeard", anchor, object, version });
    const fault = injector.takeAtWebhookEvent(anchor);
    if (fault === undefined) return atOnce;
    trace.add({ type: "Fault", fault, text: describeFault(fault) });
    return { type: "Deliver", delayMs: lagMs };
  }
}

const atOnce: FrameFate = { type: "Deliver", delayMs: 0 };

/** Nobody is told why; an error made each time would take its stack with it. */
const over = new Error("the run is over");
