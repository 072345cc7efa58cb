import { KubeClient } from "@kaji/client";
import { controllerOf, errorMessage, objectKey } from "@kaji/core";
import type { JsonValue, Transport, TransportRequest } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import type { Controller, RunningController } from "@kaji/runtime";
import { operatorUser } from "../operator-account.ts";
import { Actors, worldManager } from "./actors/actor.ts";
import type { Actor } from "./actors/actor.ts";
import { describeFault } from "./describe-fault.ts";
import { FaultInjector } from "./fault-injector.ts";
import { FaultsAtRest } from "./faults-at-rest.ts";
import type { RestingRun } from "./faults-at-rest.ts";
import type { LinkOptions } from "./operator-link.ts";
import { OperatorProcess } from "./operator-process.ts";
import type { Loop } from "./operator-process.ts";
import { LaggingStorage } from "./lagging-storage.ts";
import { MortalClock } from "./mortal-clock.ts";
import { stableName } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";
import type { Operation } from "./operation.ts";
import { OtherClient } from "./other-client.ts";
import { Outside } from "./outside.ts";
import type { OutsideOptions } from "./outside.ts";
import type { Downtime, EventAnchor, Interference, Plan } from "./plan.ts";
import type { ForkedWorld, PreparedWorld } from "./prepared-world.ts";
import { targetId } from "./request-target.ts";
import type { RequestTarget } from "./request-target.ts";
import { Trace } from "./trace.ts";
import { WebhookReplica } from "./webhook-replica.ts";
import { WorldControllers } from "./world-controllers.ts";
import { WorldState } from "./world-state.ts";

/** How long a killed operator takes to be back. */
const restartMs = 500;
/** How long one takes that is killed for longer, while users let time go by. */
const longRestartMs = 60_000;
/** How long all may take to come to rest. */
const horizonMs = 15 * 60_000;
/** How many steps all may take to come to rest. */
const mostSteps = 3000;
/** How long an API server that is behind stays so. */
const behindMs = 20_000;

/** What is simulated. */
export interface SimulationOptions extends OutsideOptions {
  readonly prepared: PreparedWorld;
  /** Makes the controllers anew for each life of the operator. */
  readonly controllers: (external: object) => readonly Controller[];
  readonly loops?: readonly Loop[] | undefined;
  readonly actors: (plural: (group: string, kind: string) => string | undefined) => readonly Actor[];
  readonly operations: readonly Operation[];
  readonly plan: Plan;
  readonly readYourWrites: boolean;
  /** Lets the world begin at another time. */
  readonly delayMs?: number;
  /** Whether the story of each write is remembered for a report: what it is, and which line of the operator made it. Default false. */
  readonly tellsStories?: boolean;
  /** Is called on every change of the world, and when a run has begun. */
  readonly watch?: (simulation: Simulation) => void;
  /** Is called whenever all has come to rest. */
  readonly atRest?: (simulation: Simulation, op: number) => Promise<void>;
}

/** A run of an operator in a world, with all that goes wrong in it by plan. Everything happens in virtual time. */
export class Simulation {
  readonly trace: Trace;
  readonly state: WorldState;
  readonly injector: FaultInjector;
  readonly #options: SimulationOptions;
  readonly #world: ForkedWorld;
  readonly #admin: KubeClient;
  readonly #user: KubeClient;
  readonly #actors: Actors;
  readonly #controllers: WorldControllers;
  readonly #outside: Outside;
  readonly #other: OtherClient;
  readonly #faultsAtRest: FaultsAtRest;
  readonly #webhooks: WebhookReplica;
  readonly #lives: OperatorProcess[] = [];
  #operator: OperatorProcess | undefined;
  /** Why the operator is away. */
  #down: Downtime | "Restarting" | undefined;
  #isBehind = false;
  #opsDone = 0;
  #isWaiting = false;
  /** Since the last operation or fault. */
  #steps = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const { prepared, plan, actors, delayMs } = options;
    this.#world = prepared.fork(plan.seed, delayMs);
    const { server, storage, clock, objects, webhooks } = this.#world;
    const begunMs = clock.now();
    this.trace = new Trace(() => clock.now() - begunMs);
    this.state = new WorldState(storage, objects);
    this.injector = new FaultInjector(plan.faults);
    this.#outside = new Outside(options, clock, seededRandom(plan.seed + 2000));
    const tools = { clock, random: seededRandom(plan.seed + 1000), onWarning: () => {} };
    const hearing = { clock, injector: this.injector, trace: this.trace, ...this.#names };
    this.#webhooks = new WebhookReplica({ ...hearing, webhooks, server: server.transport(operatorUser), seed: plan.seed + 3000 });
    this.#admin = new KubeClient(server.transport(), { ...tools, fieldManager: worldManager });
    this.#user = new KubeClient(server.transport(), { ...tools, fieldManager: "user" });
    this.#other = new OtherClient(this.#user, this.state, () => server.kinds.kinds);
    this.#faultsAtRest = new FaultsAtRest(this.#asResting);
    const plural = (group: string, kind: string): string | undefined =>
      server.kinds.kinds.find((each) => each.group === group && each.kind === kind)?.plural;
    const playing = actors(plural);
    this.#controllers = new WorldControllers(playing, { server: server.transport(), clock, seed: plan.seed + 4000 });
    this.#actors = new Actors(playing, { client: this.#admin, state: this.state, clock }, (error) => {
      throw error;
    });
  }

  /** What there is outside the cluster. */
  get external(): object {
    return this.#outside.world;
  }

  /** Somebody else, who writes the same objects. */
  get other(): OtherClient {
    return this.#other;
  }

  /** Whether the operator took what somebody made of a child for what it wants itself. */
  get isAdopted(): boolean {
    return this.#faultsAtRest.isAdopted;
  }

  /** What users act with. */
  get client(): KubeClient {
    return this.#user;
  }

  get nowMs(): number {
    return this.#world.clock.now();
  }

  /** Whether it was given up to wait until there is nothing left to do. */
  get isRestless(): boolean {
    return this.#steps > mostSteps;
  }

  /** How many operations have been done. */
  get opsDone(): number {
    return this.#opsDone;
  }

  /** How many reconciles there have been, in all lives. */
  get reconciles(): number {
    return this.#lives.reduce((sum, { reconciles }) => sum + reconciles, 0);
  }

  /** Whether the operator is there. */
  get isRunning(): boolean {
    return this.#operator !== undefined;
  }

  /** Whether the operator tries again and again. */
  get isRetrying(): boolean {
    return this.#operator?.nextDueInMs !== undefined;
  }

  /** The controllers at work. */
  get controllers(): readonly RunningController[] {
    return this.#operator?.controllers ?? [];
  }

  /** Does the operations one after the other, each when all has come to rest, and returns when there is nothing left to do. */
  async run(): Promise<void> {
    this.#options.watch?.(this);
    this.start();
    await this.rest();
    const { plan, atRest } = this.#options;
    for (const [position, op] of plan.ops.entries()) {
      if (this.isRestless) return;
      await this.#operate(op);
      const burst = this.injector.takeAtOp("Burst", op);
      if (burst !== undefined && position < plan.ops.length - 1) {
        this.trace.add({ type: "Fault", fault: burst, text: describeFault(burst) });
        await this.#world.clock.advance(burst.gapMs);
        continue;
      }
      await this.rest();
      await this.#faultsAtRest.strike(op);
      await atRest?.(this, op);
    }
    this.injector.end();
    this.#operator?.release();
    if (this.#operator === undefined) this.start();
    await this.rest();
  }

  /** Lets time go by. */
  async advance(byMs: number): Promise<void> {
    await this.#world.clock.advance(byMs);
    await this.#quiet(this.nowMs + horizonMs);
  }

  /** Reconciles everything once more. */
  async reconcileAll(): Promise<void> {
    this.#operator?.enqueueAll(({ resource: kind }) => this.state.list(kind).map(({ metadata }) => objectKey(metadata)));
    await this.rest();
  }

  /** Lets go of all that the run used. */
  async dispose(): Promise<void> {
    for (const life of this.#lives) life.dispose();
    this.#webhooks.dispose();
    this.#controllers.dispose();
    this.state[Symbol.dispose]();
    await this.#world.server[Symbol.asyncDispose]();
  }

  /** Returns when nothing is left to do, but for keys that come again and again without effect. */
  async rest(): Promise<void> {
    const untilMs = this.nowMs + horizonMs;
    let idleRounds = 0;
    while (!this.isRestless) {
      await this.#quiet(untilMs);
      if (this.#down === "UntilQuiet") {
        this.start();
        continue;
      }
      const dueInMs = this.#operator?.nextDueInMs;
      if (dueInMs === undefined || this.nowMs + dueInMs > untilMs || idleRounds >= 3) return;
      const revision = this.#revision;
      await this.#world.clock.advance(dueInMs);
      await this.#quiet(untilMs);
      idleRounds = this.#revision === revision && dueInMs >= 1000 ? idleRounds + 1 : 0;
    }
  }

  get #revision(): number {
    return this.#world.storage.currentRevision;
  }

  /** Lets time go by as long as somebody is at work. */
  async #quiet(untilMs: number): Promise<void> {
    const { clock } = this.#world;
    await turn();
    while (!this.isRestless) {
      // Whoever is cut off may run in circles until the connection is back.
      if (this.#operator?.isCutOff !== true && !this.#isBehind) this.#steps++;
      if (!this.#isBusy) {
        await turn();
        if (!this.#isBusy) return;
      }
      const nextMs = clock.nextDueMs;
      if (nextMs === undefined || nextMs > untilMs) return;
      await clock.advanceToNext();
    }
  }

  get #isBusy(): boolean {
    const parts = [this.#outside, this.#webhooks, this.#operator, this.#actors, this.#controllers];
    return this.#isBehind || this.#down === "Restarting" || parts.some((part) => part?.isBusy === true);
  }

  async #operate(op: number): Promise<void> {
    const operation = this.#options.operations[op];
    if (operation === undefined) throw new RangeError(`there is no operation ${op}`);
    this.#opsDone++;
    this.#steps = 0;
    this.trace.add({ type: "Op", index: op, text: operation.text });
    try {
      await operation.run(this.#user, this.external);
    } catch (failure) {
      const error = errorMessage(failure);
      this.trace.add({ type: "OpFailed", index: op, error });
    }
    if (this.#down === "AcrossNextOp") this.#restartAfter(restartMs);
    const operator = this.#operator;
    if (operator !== undefined) this.#world.clock.timer(restartMs, () => operator.release());
    if (operation.waitMs !== undefined) await this.#wait(operation.waitMs);
  }

  /** Lets time go by in which users do nothing. Nobody is away, and no event late, for as long as that. */
  async #wait(waitMs: number): Promise<void> {
    if (this.#down === "UntilQuiet") this.#restartAfter(longRestartMs);
    this.#isWaiting = true;
    await this.advance(waitMs);
    this.#isWaiting = false;
  }

  /** Restarts the operator on a server that is behind: what it reads is old, and what it writes is done. */
  #travel({ event, nth }: EventAnchor): void {
    const heard = this.trace.entries.find((entry) => entry.type === "Heard" && entry.anchor.event === event && entry.anchor.nth === nth);
    if (heard?.type !== "Heard") return;
    const { clock, server, storage, replica } = this.#world;
    const old = new LaggingStorage(storage, Number(heard.version));
    const behind = replica(old);
    const [reads, writes] = [behind.transport(operatorUser), server.transport(operatorUser)];
    this.#operator?.kill();
    this.#isBehind = true;
    clock.timer(behindMs, () => {
      old.catchUp();
      this.#isBehind = false;
    });
    this.#start((request) => (isFromCache(request) ? reads(request) : writes(request)));
  }

  /** Starts the operator anew. */
  start(): void {
    this.#start(this.#world.server.transport(operatorUser));
  }

  /** Kills the operator, which stays away until it is started if it is not said for how long. */
  crash(down?: Downtime): void {
    this.#steps = 0;
    this.#operator?.kill();
    this.#operator = undefined;
    this.#down = down;
    const isLastOp = this.#opsDone >= this.#options.plan.ops.length;
    if (down === "Short") this.#restartAfter(restartMs);
    else if (down !== undefined && this.#isWaiting) this.#restartAfter(longRestartMs);
    else if (down === "AcrossNextOp" && isLastOp) this.#down = "UntilQuiet";
  }

  #start(transport: Transport): void {
    const { clock, storage } = this.#world;
    const { plan, controllers, loops = [], readYourWrites, tellsStories = false } = this.#options;
    const life = this.#lives.length + 1;
    this.#down = undefined;
    this.#operator = new OperatorProcess({
      life,
      readYourWrites,
      tellsStories,
      controllers,
      loops,
      external: this.external,
      clock: new MortalClock(clock),
      random: seededRandom(plan.seed * 7919 + life),
      server: transport,
      injector: this.injector,
      trace: this.trace,
      ...this.#names,
      exists: (id) => this.state.find(id) !== undefined,
      stableName: (id) => {
        const object = this.state.find(id);
        return object === undefined ? id : stableName(id, object);
      },
      revision: () => storage.currentRevision,
      opsDone: () => this.#opsDone,
      isWaiting: () => this.#isWaiting,
      currentVersion: (id) => this.state.find(id)?.metadata.resourceVersion,
      childrenOf: (uid) => [...this.state.objects].filter(([, object]) => controllerOf(object)?.uid === uid).map(([id]) => id),
      onCrash: (down) => this.crash(down),
      refuseCall: (text, words) => this.#outside.refuse(text, words),
      interfere: (target, how) => this.#interfere(this.#idOf(target, null), how),
    });
    this.#lives.push(this.#operator);
  }

  get #asResting(): RestingRun {
    return {
      injector: this.injector,
      trace: this.trace,
      state: this.state,
      other: this.#other,
      outside: this.#outside,
      rest: () => this.rest(),
      advance: (byMs) => this.advance(byMs),
      travel: (to) => this.#travel(to),
      crash: (down) => this.crash(down),
    };
  }

  /** How objects are called. */
  get #names(): Pick<LinkOptions, "changedAt" | "idOf"> {
    return { idOf: (target, body) => this.#idOf(target, body), changedAt: (version) => this.state.changedAt(version) };
  }

  #restartAfter(delayMs: number): void {
    this.#down = "Restarting";
    this.#world.clock.timer(delayMs, () => this.start());
  }

  async #interfere(id: ObjectId, how: Interference["how"]): Promise<void> {
    const object = this.state.find(id);
    if (how === undefined) await this.#other.edit(id);
    else if (object !== undefined) await this.#other.delete(object);
  }

  #idOf(target: RequestTarget, body: JsonValue): ObjectId {
    const kind = this.#world.server.kinds.get(target.group, target.plural)?.kind ?? target.plural;
    return targetId(target, kind, body);
  }
}

/** Whether a server answers from what it has heard of; whoever reads without a version is answered from the storage, by any server. */
function isFromCache({ method, path }: TransportRequest): boolean {
  return method === "GET" && /[?&](?:watch=true|resourceVersion=)/.test(path);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
