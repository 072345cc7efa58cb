import { AsyncLocalStorage } from "node:async_hooks";
import { KubeClient, parseAddress } from "@kaji/client";
import { errorMessage, objectKey } from "@kaji/core";
import type { KubeObject, ObjectKey, Random, Resource } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { ForgetfulInformers } from "./forgetful-informers.ts";
import { runController } from "@kaji/runtime";
import type { CacheReads, Controller, ControllerEnvironment, RunningController } from "@kaji/runtime";
import { reconcileObserver } from "../reconcile-observer.ts";
import type { MortalClock } from "./mortal-clock.ts";
import { kindName, objectId } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";
import { OperatorLink } from "./operator-link.ts";
import type { LinkOptions } from "./operator-link.ts";
import { reachable } from "./external-world.ts";
import { OperatorLog } from "./operator-log.ts";
import type { Sight } from "./trace-entry.ts";

/** What one life of an operator is made of. */
export interface OperatorProcessOptions extends Omit<LinkOptions, "reconcile"> {
  /** Makes the controllers of this life. */
  readonly controllers: (external: object) => readonly Controller[];
  readonly loops: readonly Loop[];
  /** What there is outside the cluster. */
  readonly external: object;
  readonly readYourWrites: boolean;
  readonly clock: MortalClock;
  readonly random: Random;
  /** The version of an object that there really is. */
  readonly currentVersion: (id: ObjectId) => string | undefined;
  /** The objects that there really are which one controls. */
  readonly childrenOf: (uid: string) => readonly ObjectId[];
}

/** Something other than a controller that runs in an operator's process. */
export interface Loop {
  readonly name: string;
  /** The kinds that it has to do with, first the one that it is about. What becomes of those is compared. */
  readonly resources?: readonly Resource[];
  readonly start: (environment: ControllerEnvironment) => RunningLoop;
}

/** A loop at work. */
export interface RunningLoop {
  readonly load: { readonly queued: number; readonly inFlight: number; readonly nextDueInMs: number | undefined };
  /** Resolves when it has seen all that there is. */
  readonly synced: Promise<void>;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** So much of what a reconcile looks at is put down. */
const mostSights = 50;

/** Nobody is told why; an error made each time would take its stack with it. */
const over = new Error("the run is over");

const scope = new AsyncLocalStorage<number>();

/** Whether a reconcile is what runs at this moment. */
export function isReconciling(): boolean {
  return scope.getStore() !== undefined;
}

/** One life of an operator: a process with its own client, mirrors and queues, which can be killed. */
export class OperatorProcess {
  readonly #options: OperatorProcessOptions;
  readonly #link: OperatorLink;
  readonly #running: readonly RunningController[];
  /** The controllers, and then the loops. */
  readonly #all: readonly RunningLoop[];
  readonly #end = new AbortController();
  #isSynced = false;
  #reconciles = 0;

  constructor(options: OperatorProcessOptions) {
    this.#options = options;
    const { controllers, external, clock, random, trace, life } = options;
    this.#link = new OperatorLink({ ...options, reconcile: () => scope.getStore() });
    const log = new OperatorLog(trace, life);
    const client = new KubeClient(this.#link.transport, { clock, random, onWarning: () => {} });
    const mirrors = { clock, random, source: client.listerWatcher };
    const informers = options.readYourWrites ? new Informers(mirrors) : new ForgetfulInformers(mirrors);
    const observer = reconcileObserver({
      reconciled: (controller, outcome, _durationMs, { key, error }) =>
        trace.add({ type: "Ended", life, controller, key, outcome, error: error?.message }),
    });
    const environment = { clock, random, log, client, informers, observer, recorder: { event: () => {} } };
    trace.add({ type: "Start", life });
    const reached = reachable(external, this.#link);
    this.#running = controllers(reached).map((controller) => runController(this.#observed(controller), environment));
    this.#all = [...this.#running, ...options.loops.map(({ start }) => start(environment))];
    void informers.run(this.#end.signal);
    for (const each of this.#all) void each.run(this.#end.signal).catch((error: unknown) => this.#ended(error));
    void Promise.all(this.#all.map(({ synced }) => synced)).then(() => (this.#isSynced = true));
  }

  /** How many reconciles there have been. */
  get reconciles(): number {
    return this.#reconciles;
  }

  get controllers(): readonly RunningController[] {
    return this.#running;
  }

  get isBusy(): boolean {
    return !this.#isSynced || this.#link.isBusy || this.#loads().some(({ queued, inFlight }) => queued + inFlight > 0);
  }

  /** Whether a watch is broken. */
  get isCutOff(): boolean {
    return this.#link.isCutOff;
  }

  /** How long until a key that waits for its time is due. */
  get nextDueInMs(): number | undefined {
    let next: number | undefined;
    for (const { nextDueInMs: ms } of this.#loads()) if (ms !== undefined && (next === undefined || ms < next)) next = ms;
    return next;
  }

  /** Asks for the reconcile of every object of the controllers' kinds. */
  enqueueAll(keysOf: (controller: Controller) => readonly ObjectKey[]): void {
    for (const each of this.#running) for (const key of keysOf(each.controller)) each.enqueue(key);
  }

  /** Lets go of events that are held. */
  release(): void {
    this.#link.release();
  }

  /** Ends it like a kill -9: nothing that it waits for ever comes, and nothing is told that it is over. */
  kill(): void {
    const { clock, trace, life } = this.#options;
    this.#link.cut();
    clock.kill();
    trace.add({ type: "Crash", life });
  }

  /** Ends it when the run is over, so that nothing of it stays behind. */
  dispose(): void {
    this.#end.abort(over);
    this.#link.cut();
    this.#options.clock.kill();
  }

  /** What runs until it is ended may say so by failing; if it fails before, that is its own doing. */
  #ended(error: unknown): void {
    if (this.#end.signal.aborted) return;
    const text = errorMessage(error);
    this.#options.trace.add({ type: "Error", life: this.#options.life, text, kind: "Forgotten" });
  }

  #loads(): readonly RunningLoop["load"][] {
    return this.#all.map(({ load }) => load);
  }

  /** The controller, with what each reconcile looks at put down. */
  #observed(controller: Controller): Controller {
    const { trace, life } = this.#options;
    const around =
      (call: (object: never, context: never) => unknown, how: { readonly isFinalizing?: true } = {}) =>
      (object: never, context: never): never => {
        const number = ++this.#reconciles;
        const sights: Sight[] = [];
        const sight = this.#sight(object);
        trace.add({ type: "Reconcile", life, number, controller: controller.name, sight, sights, ...how });
        // The types of a controller's own functions are known to it alone.
        return scope.run(number, () => call(object, this.#watchedContext(context, sights, object) as never)) as never;
      };
    const { reconcile, finalize } = controller;
    return {
      ...controller,
      reconcile: around(reconcile),
      finalize: finalize === undefined ? undefined : around(finalize, { isFinalizing: true }),
    };
  }

  #watchedContext(context: object, sights: Sight[], { metadata }: KubeObject): object {
    const { cache } = context as { readonly cache: CacheReads<KubeObject> };
    const { currentVersion, childrenOf } = this.#options;
    const note = (sight: Sight): void => void (sights.length < mostSights && sights.push(sight));
    const see = <T extends KubeObject>(object: T): T => {
      note(this.#sight(object));
      return object;
    };
    const miss = (object: ObjectId): void => {
      const current = currentVersion(object);
      if (current !== undefined) note({ object, seen: undefined, current });
    };
    const watched: CacheReads<KubeObject> = {
      get: (of, address) => {
        const found = cache.get(of, address);
        if (found === undefined) miss(`${kindOf(of)} ${objectKey(parseAddress(address))}`);
        return found === undefined ? undefined : see(found);
      },
      list: (of, query) => cache.list(of, query).map(see),
      by: (of, index, value, query) => cache.by(of, index, value, query).map(see),
      owned: (of) => {
        const found = [...cache.owned(of)];
        const known = new Set(found.map(objectId));
        for (const child of childrenOf(metadata.uid ?? "")) if (child.startsWith(`${kindOf(of)} `) && !known.has(child)) miss(child);
        return found.values().map(see);
      },
      resourceOf: (object) => cache.resourceOf(object),
    };
    // Each reconcile has a context of its own.
    return Object.assign(context, { cache: watched });
  }

  #sight(object: KubeObject): Sight {
    const id = objectId(object);
    return { object: id, seen: object.metadata.resourceVersion, current: this.#options.currentVersion(id) };
  }
}

/** A kind, or what is kept of it. */
type Kind = Pick<Resource, "group" | "kind"> | { readonly resource: Pick<Resource, "group" | "kind"> };

function kindOf(of: Kind): string {
  const { group, kind } = "resource" in of ? of.resource : of;
  return kindName(group, kind);
}
