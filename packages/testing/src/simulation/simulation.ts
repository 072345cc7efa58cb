import { KubeClient } from "@kaji/client";
import { controllerOf, errorMessage, objectKey } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
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
import { OperatorLives } from "./operator-lives.ts";
import type { OperatorLivesOptions } from "./operator-lives.ts";
import type { Loop } from "./operator-process.ts";
import { stableName } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";
import type { Operation } from "./operation.ts";
import { OtherClient } from "./other-client.ts";
import { Outside } from "./outside.ts";
import type { OutsideOptions } from "./outside.ts";
import type { Downtime, Interference, Plan } from "./plan.ts";
import type { ForkedWorld, PreparedWorld } from "./prepared-world.ts";
import { targetId } from "./request-target.ts";
import type { RequestTarget } from "./request-target.ts";
import { Trace } from "./trace.ts";
import { WebhookReplica } from "./webhook-replica.ts";
import { WorldControllers } from "./world-controllers.ts";
import { WorldState } from "./world-state.ts";

/** How long all may take to come to rest. */
const horizonMs = 15 * 60_000;
/** What is due sooner than this comes of what was just done. */
const retryMs = 1000;
/** For so long after that time, what was begun within it is followed. */
const wakeMs = 60_000;
/** How many steps all may take to come to rest. */
const mostSteps = 3000;

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
  readonly #operator: OperatorLives;
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
    this.#operator = new OperatorLives(this.#asLived);
    this.#faultsAtRest = new FaultsAtRest(this.#asResting);
    const plural = (group: string, kind: string): string | undefined =>
      server.kinds.kinds.find((each) => each.group === group && each.kind === kind)?.plural;
    const playing = actors(plural);
    this.#controllers = new WorldControllers(playing, { server: server.transport(), clock, seed: plan.seed + 4000 });
    this.#actors = new Actors(playing, { client: this.#admin, state: this.state, clock });
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
    return this.#operator.reconciles;
  }

  /** Whether the operator is there. */
  get isRunning(): boolean {
    return this.#operator.present !== undefined;
  }

  /** Whether the operator tries again and again. */
  get isRetrying(): boolean {
    return this.#operator.present?.nextDueInMs !== undefined;
  }

  /** The controllers at work. */
  get controllers(): readonly RunningController[] {
    return this.#operator.present?.controllers ?? [];
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
    this.#operator.recover();
    await this.rest();
  }

  /** Lets time go by. */
  async advance(byMs: number): Promise<void> {
    await this.#world.clock.advance(byMs);
    await this.#quiet(this.nowMs + horizonMs);
  }

  /** Reconciles everything once more. */
  async reconcileAll(): Promise<void> {
    this.#operator.present?.enqueueAll(({ resource: kind }) => this.state.list(kind).map(({ metadata }) => objectKey(metadata)));
    await this.rest();
  }

  /** Lets go of all that the run used. */
  async dispose(): Promise<void> {
    this.#operator.dispose();
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
      await this.#quiet(this.nowMs + horizonMs);
      if (this.#operator.returnWhenQuiet()) continue;
      const dueInMs = this.#operator.present?.nextDueInMs;
      if (dueInMs === undefined || idleRounds >= 3) return;
      // What began in time is done, with the retries that come at once, however late that is.
      const isInTime = this.nowMs + dueInMs <= untilMs || (dueInMs < retryMs && this.nowMs < untilMs + wakeMs);
      if (!isInTime) return;
      const revision = this.#revision;
      await this.#world.clock.advance(dueInMs);
      await this.#quiet(this.nowMs + horizonMs);
      idleRounds = this.#revision === revision && dueInMs >= retryMs ? idleRounds + 1 : 0;
    }
  }

  get #revision(): number {
    return this.#world.storage.currentRevision;
  }

  /** Lets time go by as long as somebody is at work. */
  async #quiet(untilMs: number): Promise<void> {
    await this.#work(untilMs);
    this.#actors.assertSound();
  }

  async #work(untilMs: number): Promise<void> {
    const { clock } = this.#world;
    await turn();
    while (!this.isRestless) {
      if (!this.#operator.isCutOff) this.#steps++;
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
    return parts.some(({ isBusy }) => isBusy);
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
    this.#operator.noteOperation();
    if (operation.waitMs !== undefined) await this.#wait(operation.waitMs);
  }

  /** Lets time go by in which users do nothing. Nobody is away, and no event late, for as long as that. */
  async #wait(waitMs: number): Promise<void> {
    this.#operator.noteWait();
    this.#isWaiting = true;
    await this.advance(waitMs);
    this.#isWaiting = false;
  }

  /** Starts the operator anew. */
  start(): void {
    this.#operator.start();
  }

  /** Kills the operator, which stays away until it is started if it is not said for how long. */
  crash(down?: Downtime): void {
    this.#steps = 0;
    this.#operator.crash(down);
  }

  /** What each life of the operator is made of. */
  get #asLived(): OperatorLivesOptions {
    const { plan, controllers, loops = [], readYourWrites, tellsStories = false } = this.#options;
    return {
      world: this.#world,
      seed: plan.seed,
      readYourWrites,
      tellsStories,
      controllers,
      loops,
      external: this.external,
      injector: this.injector,
      trace: this.trace,
      ...this.#names,
      exists: (id) => this.state.find(id) !== undefined,
      stableName: (id) => {
        const object = this.state.find(id);
        return object === undefined ? id : stableName(id, object);
      },
      revision: () => this.#revision,
      opsDone: () => this.#opsDone,
      isLastOp: () => this.#opsDone >= plan.ops.length,
      isWaiting: () => this.#isWaiting,
      currentVersion: (id) => this.state.find(id)?.metadata.resourceVersion,
      childrenOf: (uid) => [...this.state.objects].filter(([, object]) => controllerOf(object)?.uid === uid).map(([id]) => id),
      onCrash: (down) => this.crash(down),
      refuseCall: (text, words) => this.#outside.refuse(text, words),
      interfere: (id, how) => this.#interfere(id, how),
    };
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
      travel: (to) => this.#operator.travel(to),
      crash: (down) => this.crash(down),
    };
  }

  /** How objects are called. */
  get #names(): Pick<LinkOptions, "changedAt" | "idOf"> {
    return { idOf: (target, body) => this.#idOf(target, body), changedAt: (version) => this.state.changedAt(version) };
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

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
