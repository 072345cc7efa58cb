import { Bar } from "@kaji-examples/bar/bar";
import { operator } from "@kaji-examples/bar/operator";
import { freePorts } from "@kaji-tools/kube";
import type { KubeClient } from "@kaji/client";
import { isReason, systemClock, systemRandom } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import { runOperator, webhookConfigurations } from "@kaji/runtime";
import type { ConnectedServer } from "@kaji/runtime";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";

/** An API server, as somebody who may do anything sees it, and as an operator reaches it. */
export interface Plane extends AsyncDisposable {
  readonly client: KubeClient;
  connect(): Promise<ConnectedServer & { readonly transport: AsyncDisposable }>;
}

const longestMs = 120_000;

/** The Bar operator on a server, with all that it is installed with. */
export class BarPlane implements AsyncDisposable {
  readonly client: KubeClient;
  readonly #plane: Plane;
  readonly #webhookPort: number;
  #running: { readonly end: () => Promise<number | undefined> } | undefined;

  /** Installs the definition and the webhooks, and starts the operator. */
  static async start(plane: Plane): Promise<BarPlane> {
    const [webhookPort = 0] = await freePorts(1, systemRandom);
    const started = new BarPlane(plane, webhookPort);
    const { client } = plane;
    await client.create(CustomResourceDefinition, Bar.crd());
    const target = { type: "Url", url: started.#webhookUrl } as const;
    const { mutating, validating } = webhookConfigurations(operator.webhooks, { name: operator.name, target });
    if (mutating !== undefined) await client.create(MutatingWebhookConfiguration, mutating);
    if (validating !== undefined) await client.create(ValidatingWebhookConfiguration, validating);
    // A server takes a moment to serve what has been defined.
    await started.eventually(() => client.list(Bar, { namespace: "default" }));
    started.startOperator();
    return started;
  }

  private constructor(plane: Plane, webhookPort: number) {
    this.client = plane.client;
    this.#plane = plane;
    this.#webhookPort = webhookPort;
  }

  get #webhookUrl(): string {
    return `https://127.0.0.1:${this.#webhookPort}`;
  }

  /** Runs the operator in this process, as if it were one of its own. */
  startOperator(): void {
    const listeners = new Set<() => void>();
    const exits: number[] = [];
    const ended = runOperator(operator, {
      program: "bar",
      argv: [
        "--metrics-address=0",
        "--health-address=0",
        "--log-level=silent",
        `--webhook-address=127.0.0.1:${this.#webhookPort}`,
        `--webhook-url=${this.#webhookUrl}`,
      ],
      env: { POD_NAMESPACE: "kube-system" },
      stdout: process.stdout,
      stderr: process.stderr,
      hostname: "bar-0",
      clock: systemClock,
      random: systemRandom,
      connect: () => this.#plane.connect(),
      onSignal: (listener) => {
        listeners.add(listener);
        return { [Symbol.dispose]: () => void listeners.delete(listener) };
      },
      onDebugSignal: () => ({ [Symbol.dispose]: () => {} }),
      exit: (code) => void exits.push(code),
    });
    this.#running = {
      end: async () => {
        for (const listener of listeners) listener();
        await ended;
        return exits[0];
      },
    };
  }

  /** Tells the operator to end; the code it exits with. */
  async stopOperator(): Promise<number | undefined> {
    const running = this.#running;
    this.#running = undefined;
    return running?.end();
  }

  /** Waits until an object is as it should be. */
  async until<T extends KubeObject>(resource: Resource<T>, key: string, isRight: (object: T) => boolean): Promise<T> {
    return this.eventually(async () => {
      const object = await this.client.get(resource, key);
      if (!isRight(object)) throw new Error(`${key} is not as it should be: ${JSON.stringify(object)}`);
      return object;
    });
  }

  /** Waits until an object is gone. */
  async untilGone(resource: Resource, key: string): Promise<void> {
    await this.eventually(async () => {
      try {
        await this.client.get(resource, key);
      } catch (error) {
        if (isReason(error, "NotFound")) return;
        throw error;
      }
      throw new Error(`${key} is still there`);
    });
  }

  /** Tries until it succeeds; what the last attempt threw, if it never does. */
  async eventually<T>(attempt: () => Promise<T>): Promise<T> {
    const deadlineMs = systemClock.monotonic() + longestMs;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (systemClock.monotonic() > deadlineMs) throw error;
        await systemClock.sleep(20);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopOperator();
    await this.#plane[Symbol.asyncDispose]();
  }
}
