import type { Clock, Transport } from "@kaji/core";
import { WebhookMirrors, webhookHandler } from "@kaji/runtime";
import type { Log, WebhookMirrorsOptions, WebhookReader } from "@kaji/runtime";
import { webhookOrigin } from "./install-operator.ts";
import type { OperatorParts } from "./install-operator.ts";

/** What webhooks read with: requests, and memory. */
interface Reads {
  readonly reader: WebhookReader;
  readonly mirrors: WebhookMirrors;
}

/** The webhooks and conversions of an operator under test. What they read is the API server that calls them, which has to know them first. */
export class TestedWebhooks {
  /** What answers. */
  readonly handler: Transport;
  readonly #parts: OperatorParts;
  #reads: Reads | undefined;

  constructor(parts: OperatorParts, tools: { readonly clock: Clock; readonly log?: Log }) {
    this.#parts = parts;
    const { webhooks, conversions } = parts;
    const [reader, mirrors] = [() => this.#connected.reader, () => this.#connected.mirrors];
    this.handler = webhookHandler({ ...tools, webhooks, conversions, reader, mirrors });
  }

  /** Where an API server in the same process finds them. */
  get targets(): { readonly inProcess: ReadonlyMap<string, Transport> } {
    return { inProcess: new Map([[webhookOrigin, this.handler]]) };
  }

  /** From now on they read from a server. What they mirror of it is the caller's to run. */
  connect(reader: WebhookReader, { clock, controllers, informers }: Omit<WebhookMirrorsOptions, "webhooks">): WebhookMirrors {
    const mirrors = new WebhookMirrors({ webhooks: this.#parts.webhooks ?? [], clock, controllers, informers });
    this.#reads = { reader, mirrors };
    return mirrors;
  }

  get #connected(): Reads {
    if (this.#reads === undefined) throw new Error("the webhooks of a test have no server to read from yet");
    return this.#reads;
  }
}
