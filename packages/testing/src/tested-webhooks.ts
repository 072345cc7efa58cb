import type { KubeClient } from "@kaji/client";
import type { Clock, Transport } from "@kaji/core";
import { userInHeaders, usualHeaderNames } from "@kaji/core/serving";
import { WebhookMirrors, apiHandler, delegatedAccess, webhookHandler } from "@kaji/runtime";
import type { ApiAccess, Log, ServedHandler, WebhookMirrorsOptions } from "@kaji/runtime";
import { apiOrigin, webhookOrigin } from "./install-operator.ts";
import type { OperatorParts } from "./install-operator.ts";

/** What webhooks and APIs read with: requests, and memory. */
interface Reads {
  readonly reader: KubeClient;
  readonly mirrors: WebhookMirrors;
}

/** What the parts of an operator that an API server calls work with in a test. */
interface TestedWebhooksTools {
  readonly clock: Clock;
  readonly log?: Log;
  /** Who sends a request. Default: whoever its headers say, since only the API server of the same process can send one. */
  readonly userOf?: ApiAccess["userOf"];
}

/** The webhooks, conversions and APIs of an operator under test. What they read is the API server that calls them, which has to know them first. */
export class TestedWebhooks {
  /** What answers. */
  readonly handler: ServedHandler;
  readonly #parts: OperatorParts;
  #reads: Reads | undefined;

  constructor(
    parts: OperatorParts,
    { userOf = (credentials) => userInHeaders(usualHeaderNames, credentials), ...tools }: TestedWebhooksTools,
  ) {
    this.#parts = parts;
    const { webhooks, conversions, apis = [] } = parts;
    const [reader, mirrors] = [() => this.#connected.reader, () => this.#connected.mirrors];
    const reviews = webhookHandler({ ...tools, webhooks, conversions, reader, mirrors });
    const may = delegatedAccess({ create: (...review) => this.#connected.reader.create(...review) }, tools.clock);
    this.handler = apis.length === 0 ? reviews : apiHandler({ ...tools, apis, access: { userOf, may }, reader, mirrors }, reviews);
  }

  /** Where an API server in the same process finds them. */
  get targets(): Readonly<Record<"extensions" | "webhooks", { readonly inProcess: ReadonlyMap<string, Transport> }>> {
    const at = (origin: string): { readonly inProcess: ReadonlyMap<string, Transport> } => ({
      inProcess: new Map([[origin, this.handler]]),
    });
    return { webhooks: at(webhookOrigin), extensions: at(apiOrigin) };
  }

  /** From now on they read from a server. What they mirror of it is the caller's to run. */
  connect(reader: KubeClient, { clock, controllers, informers }: Omit<WebhookMirrorsOptions, "parts">): WebhookMirrors {
    const { webhooks = [], apis = [] } = this.#parts;
    const mirrors = new WebhookMirrors({ parts: [...webhooks, ...apis], clock, controllers, informers });
    this.#reads = { reader, mirrors };
    return mirrors;
  }

  get #connected(): Reads {
    if (this.#reads === undefined) throw new Error("the webhooks of a test have no server to read from yet");
    return this.#reads;
  }
}
