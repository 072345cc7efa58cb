import {
  ApiServer,
  createCrdKind,
  createMemoryStorage,
  deducedSchema,
  discoveryPaths,
  openSchema,
  serveCustomKinds,
} from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { parseObjectKey } from "@kaji/core";
import type { KubeObject, Resource, Transport } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { RecordedEvent } from "../events/event-recorder.ts";
import { RecordingLog } from "../log/testing/recording-log.ts";
import { runController } from "../controller/controller-run.ts";
import type { RunningController } from "../controller/running-controller.ts";

/** A request that reached the server. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** What may happen to a request besides being refused: the server executes it, and its answer is lost. */
export type Fault = "LoseAnswer";

/** A controller that runs, and can be stopped. */
export interface RunningProgram extends AsyncDisposable {
  readonly running: RunningController;
  stop(): Promise<void>;
}

/** A server of custom kinds under a clock that stands still, and programs with controllers that run against it. */
export class TestWorld implements AsyncDisposable {
  readonly clock: ManualClock = new ManualClock();
  readonly requests: SeenRequest[] = [];
  readonly log: RecordingLog = new RecordingLog();
  readonly events: RecordedEvent[] = [];
  readonly client: KubeClient;
  /** Called for each request of a program before it reaches the server; what it throws is the answer, and it may have the server's answer lost. */
  intercept: (request: SeenRequest) => Fault | void | Promise<void> = () => undefined;
  /** Called when the server has executed a request of a program, before its answer goes back. */
  executed: (request: SeenRequest) => void | Promise<void> = () => undefined;
  /** How long a request of a program is on its way, and its answer, and each piece of a watch. */
  delayMs: () => number = () => 0;
  /** The way of programs to the server, on which watches can be broken and requests are seen. */
  readonly transport: Transport;
  readonly #stack = new AsyncDisposableStack();
  readonly #programs = new Set<RunningProgram>();
  #break = Promise.withResolvers<"Broken">();

  constructor() {
    const { clock } = this;
    const crdKind = createCrdKind({ schema: openSchema, mergeSchema: deducedSchema });
    const server = new ApiServer({ storage: createMemoryStorage({ clock }), kinds: [crdKind], clock, random: seededRandom(1) });
    this.#stack.use(server);
    this.#stack.use(serveCustomKinds(server, crdKind));
    server.addPaths(discoveryPaths(server.kinds));
    const send = server.transport();
    this.transport = async (request) => {
      const seen = { method: request.method, path: request.path };
      this.requests.push(seen);
      await this.#travel(request.signal);
      const fault = await this.intercept(seen);
      // What is aborted on its way does not arrive.
      request.signal?.throwIfAborted();
      const answer = await send(request);
      await this.executed(seen);
      await this.#travel(request.signal);
      if (fault === "LoseAnswer") throw new Error("the connection broke before the answer came");
      return request.path.includes("watch=true") ? { ...answer, body: this.#breakable(answer.body, request.signal) } : answer;
    };
    this.client = new KubeClient(send, { clock, random: seededRandom(2) });
  }

  /** Serves a kind. */
  async define(...definitions: readonly Pick<ResourceDefinition, "crd">[]): Promise<void> {
    for (const definition of definitions) await this.client.create(CustomResourceDefinition, definition.crd());
    await this.settle();
  }

  /** Starts a program with one controller: its client, its mirrors and its memory are its own. */
  start(controller: Controller, more: Partial<ControllerEnvironment> = {}): RunningProgram {
    const { clock } = this;
    const random = seededRandom(3);
    const client = new KubeClient(this.transport, { clock, random, retries: 0 });
    const informers = new Informers({ source: client.listerWatcher, clock, random });
    const recorder = { event: (_about: KubeObject, event: RecordedEvent) => void this.events.push(event) };
    const running = runController(controller, { client, informers, clock, random, log: this.log, recorder, ...more });
    const end = new AbortController();
    const endInformers = new AbortController();
    const mirroring = informers.run(endInformers.signal);
    const over = running.run(end.signal);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      end.abort();
      await over;
      endInformers.abort();
      await mirroring;
      this.#programs.delete(program);
    };
    const program: RunningProgram = { running, stop: () => (stopping ??= stop()), [Symbol.asyncDispose]: () => (stopping ??= stop()) };
    this.#programs.add(program);
    this.#stack.use(program);
    return program;
  }

  /** Breaks the watches that are open. */
  breakWatches(): void {
    this.#break.resolve("Broken");
    this.#break = Promise.withResolvers();
  }

  /** Lets everything happen that can happen without time. */
  async settle(): Promise<void> {
    let before = "";
    for (let quiet = 0; quiet < 8;) {
      await this.clock.advance(0);
      const now = JSON.stringify([
        this.requests.length,
        ...Array.from(this.#programs, ({ running: { load } }) => [load.queued, load.inFlight, load.delayed]),
      ]);
      quiet = now === before ? quiet + 1 : 0;
      before = now;
    }
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.settle();
  }

  /** The requests that may change something, since the last time. */
  takeWrites(): string[] {
    const writes = this.requests.splice(0).filter(({ method }) => method !== "GET");
    return writes.map(({ method, path }) => `${method} ${path.replace(/\?.*/, "").replace(/^.*\/namespaces\/default\//, "")}`);
  }

  /** The object, or undefined if there is none. */
  async find<T extends KubeObject>(resource: Resource<T>, address: string): Promise<T | undefined> {
    const { namespace, name } = parseObjectKey(address);
    const { items } = await this.client.list(resource, namespace === undefined ? {} : { namespace });
    return items.find(({ metadata }) => metadata.name === name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #travel(signal: AbortSignal | undefined): Promise<void> {
    const ms = this.delayMs();
    if (ms > 0) await this.clock.sleep(ms, signal);
  }

  async *#breakable(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const broken = this.#break.promise;
    const pieces = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([pieces.next(), broken]);
        if (next === "Broken") throw new Error("the connection was reset");
        if (next.done === true) return;
        await this.#travel(signal);
        yield next.value;
      }
    } finally {
      await pieces.return?.();
    }
  }
}
