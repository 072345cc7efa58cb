import { TimeLimit, aborted, formatKind, objectKey, onAbort } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { isOfAnyKind } from "../declare/any-kind.ts";
import type { Watched } from "../declare/declarations.ts";
import { appliedKinds } from "../declare/applied-kinds.ts";
import type { Controller } from "../declare/define-controller.ts";
import { lowPriority } from "../declare/priority.ts";
import type { Prioritized } from "../declare/priority.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";
import { fencedTransport } from "../election/fenced-transport.ts";
import { catchForgotten } from "../reconcile/forgotten-promises.ts";
import { FollowUp } from "./follow-up.ts";
import { keyOfKind } from "./key-of-kind.ts";
import { KeyIntake } from "./key-intake.ts";
import type { IntakeTarget } from "./key-intake.ts";
import type { Log } from "../log/log.ts";
import { MetKinds } from "./met-kinds.ts";
import { Mirrors } from "./mirrors.ts";
import { limiterOf } from "../queue/rate-limiter.ts";
import { WorkQueue } from "../queue/work-queue.ts";
import type { KeyLease } from "../queue/work-queue.ts";
import type { ShardGate } from "../sharding/shard-gate.ts";
import { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import { openJournal } from "../reconcile/reconcile-journal.ts";
import type { ReconcileJournal } from "../reconcile/reconcile-journal.ts";
import { Readers } from "../reconcile/readers.ts";
import { ReconcileNotes } from "../reconcile/reconcile-notes.ts";
import type { Trigger } from "../reconcile/reconcile-report.ts";
import { liveReads } from "../reconcile/live-reads.ts";
import { Reconciler } from "../reconcile/reconciler.ts";
import type { AddedWatch, ControllerLoad, MirroredKind, RunningController } from "./running-controller.ts";
import { runSource } from "../sources/run-source.ts";
import { AppliedObjects } from "../writes/applied-objects.ts";
import { Children } from "../writes/children.ts";
import { LoopGuard } from "../writes/loop-guard.ts";
import { ObservedWrites } from "../writes/observed-writes.ts";

/** How long an aborted reconcile may take to end. */
const graceMs = 1000;

/** Puts a controller into an environment; `run` lets it work. */
export function runController(controller: Controller, environment: ControllerEnvironment): RunningController {
  return new ControllerRun(controller, environment);
}

/** A controller at work: keys come in from the mirrors and the sources, and each worker reconciles one at a time. */
class ControllerRun implements RunningController {
  readonly controller: Controller;
  readonly synced: Promise<void>;
  readonly #environment: ControllerEnvironment;
  /** Undefined: all objects are reconciled here. */
  readonly #shards: ShardGate | undefined;
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #mirrors: Mirrors;
  readonly #intake: KeyIntake;
  readonly #reconciler: Reconciler;
  readonly #followUp: FollowUp;
  readonly #log: Log;
  /** Undefined when `kaji:reconcile` has no subscriber. */
  readonly #journal: ReconcileJournal | undefined;
  readonly #limit: TimeLimit;
  readonly #attempts = new Set<ReconcileAttempt>();
  readonly #readers: Readers;
  /** Reconciles that took too long and are still not over. Their keys stay leased. */
  readonly #overdue = new Set<Promise<void>>();
  #looking = 0;
  readonly #resolveSynced: () => void;

  constructor(controller: Controller, environment: ControllerEnvironment) {
    const { clock, log, observer, informers, recorder } = environment;
    const { name } = controller;
    this.controller = controller;
    this.#environment = environment;
    this.#limit = new TimeLimit(clock, controller.timeoutMs);
    this.#shards = controller.needsLeader ? environment.shards : undefined;
    this.#log = log.child({ controller: name, kind: formatKind(controller.resource) });
    this.#queue = new WorkQueue({
      clock,
      limiter: limiterOf(controller.backoff, clock),
      paceMs: controller.paceMs,
      observer: observer && {
        added: () => observer.keyAdded(name),
        taken: (waitedMs) => observer.keyTaken(name, waitedMs),
        done: (workedMs) => observer.keyDone(name, workedMs),
        retried: () => observer.keyRetried(name),
      },
    });
    this.#journal = openJournal(controller);
    this.#followUp = new FollowUp(this.#queue, this.#journal, environment);
    this.#mirrors = new Mirrors({
      ...environment,
      applied: environment.applied ?? appliedKinds(controller),
      undeclared: (verb, resource) => new UndeclaredError(controller, verb, resource),
    });
    this.#readers = new Readers({ isOpen: controller.watches.some(isOfAnyKind) });
    const applied = new AppliedObjects(controller.fieldManager);
    const askAgain = (key: ObjectKey): void => this.#ask(key, { type: "Conflict" }, undefined);
    const children = new Children(controller, this.#mirrors, { informers, met: () => met, applied, recorder, askAgain });
    const target: IntakeTarget = {
      run: this,
      enqueue: (key, priority, resource, delta) => {
        if (!this.#isMine(key)) return;
        this.#journal?.changed(key, resource, delta);
        this.#queue.add(key, priority);
      },
      gone: (key) => this.#forget(key),
      noteWish: (key, resource, changed) => guard.noteWish(key, resource, changed),
      noteLostChild: (key) => this.#isMine(key) && this.#reconciler.noteLostChild(key),
      installed: ({ kind }) => this.#askAll({ type: "Source", name: `${kind} is served now` }),
      takeWaiting: (resource, key) => children.ownership.takeWaiting(resource, key),
    };
    this.#intake = new KeyIntake(controller, environment, { mirrors: this.#mirrors, readers: this.#readers, target });
    const met = new MetKinds(controller, this.#intake);
    const guard = new LoopGuard(controller, this.#mirrors, environment);
    const writes = new ObservedWrites(controller, environment, {
      onWrite: (attempt, resource, address) => guard.note(attempt, resource, address),
      onUnanswered: (key, object) => this.#reconciler.noteUnanswered(key, object),
    });
    const readsUntil = liveReads(controller, environment);
    this.#reconciler = new Reconciler({ controller, environment, mirrors: this.#mirrors, met, readsUntil, writes, children, applied });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#resolveSynced = resolve;
  }

  get load(): ControllerLoad {
    const { size, sizes, delayed, nextDueInMs, leased, workedMs } = this.#queue;
    const failing = this.#followUp.countFailing((key) => this.#isMine(key));
    return { queued: size, queuedBy: sizes, delayed, nextDueInMs, inFlight: leased, looking: this.#looking, workedMs, failing };
  }

  get underWay(): readonly ObjectKey[] {
    return Array.from(this.#attempts, ({ key }) => key);
  }

  get mirrored(): readonly MirroredKind[] {
    return this.#mirrors.mirrored;
  }

  enqueue(key: ObjectKey | string, { priority }: Prioritized = {}): void {
    this.#ask(key, { type: "Asked" }, priority);
  }

  watch(watched: Watched): AddedWatch {
    return this.#intake.watch({ ...watched, isAdded: true });
  }

  async run(signal: AbortSignal): Promise<void> {
    using _forgotten = catchForgotten();
    using _mirrors = this.#mirrors;
    using _intake = this.#intake;
    const { abandon, elected } = this.#environment;
    using _abandon = onAbort(abandon, (reason) => this.#abandon(reason));
    const over = aborted(signal);
    const synced = this.#intake.start().then(this.#resolveSynced);
    using _gained = this.#shards?.onGained((isGained) => this.#askAll({ type: "Source", name: "its shard came here" }, isGained));
    const needsLeader = this.controller.needsLeader && this.#shards === undefined;
    await Promise.race([needsLeader ? Promise.all([synced, elected]) : synced, over]);
    if (signal.aborted) return;
    const sources = this.controller.sources.map((source) => runSource(source, this.#sourceScope(source.name, signal)));
    const workers = Array.from({ length: this.controller.concurrency }, () => this.#work(signal));
    await over;
    void this.#queue.close();
    await Promise.all([...sources, ...workers]);
    const overdue = Promise.all(this.#overdue);
    await (abandon === undefined ? overdue : Promise.race([overdue, aborted(abandon)]));
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lease = await this.#queue.take();
      if (lease === undefined) return;
      // Queued keys are dropped at shutdown: the next start lists all objects and enqueues them again.
      if (signal.aborted) lease[Symbol.dispose]();
      else await this.#reconcile(lease);
    }
  }

  /** Reconciles a key. It returns when the worker is free again, which is soon after the deadline at the latest. */
  async #reconcile(lease: KeyLease<ObjectKey>): Promise<void> {
    const { key } = lease;
    this.#followUp.noteDue(key);
    const triggers = this.#journal?.taken(key);
    // A shard may be given up while its keys wait: whoever takes it reconciles all of them.
    const object = this.#isMine(key) ? this.#reconciler.present(key) : undefined;
    if (object === undefined) {
      this.#forgetWork(key);
      return this.#followUp.end(lease, { type: "Done" });
    }
    const id = this.#environment.random.uuid();
    const attempt = new ReconcileAttempt({
      id,
      run: this,
      key,
      generation: object.metadata.generation,
      resourceVersion: object.metadata.resourceVersion,
      limit: this.#limit,
      log: () => this.#log.child({ object: key, reconcileId: id }),
      reading: this.#readers.begin(key),
      notes: triggers && new ReconcileNotes(triggers),
      onPanic: (panicked) => this.#onPanic(panicked),
    });
    const ended = this.#attempt(lease, attempt, object);
    await Promise.race([ended, attempt.aborted]);
    if (this.#attempts.has(attempt)) await this.#outlast(attempt, ended);
  }

  async #attempt(lease: KeyLease<ObjectKey>, attempt: ReconcileAttempt, object: KubeObject): Promise<void> {
    const { clock, observer } = this.#environment;
    using _underWay = this.#shards?.enter(attempt.key, (reason) => attempt.abort(reason));
    this.#attempts.add(attempt);
    const startedMs = clock.monotonic();
    const outcome = this.#followUp.judge(attempt.key, await this.#reconciler.reconcile(attempt, object));
    attempt[Symbol.dispose]();
    if (attempt.reading !== undefined) this.#readers.end(attempt.reading);
    this.#attempts.delete(attempt);
    const durationMs = clock.monotonic() - startedMs;
    const error = "error" in outcome ? outcome.error : undefined;
    if (outcome.type !== "Aborted") observer?.reconciled(this.controller.name, outcome.type, durationMs, { key: attempt.key, error });
    this.#journal?.ended(attempt, outcome, durationMs);
    this.#followUp.end(lease, outcome);
    this.#followUp.report(attempt, object, outcome);
  }

  /** Gives an aborted reconcile `graceMs` to end. After that it keeps the lease of its key, and the worker takes the next key. */
  async #outlast(attempt: ReconcileAttempt, ended: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _timer = this.#environment.clock.timer(graceMs, resolve);
    await Promise.race([ended, promise]);
    if (!this.#attempts.has(attempt)) return;
    attempt.log.error(
      { err: attempt.signal.reason },
      "reconcile did not stop after its abort; its key stays leased, the worker takes the next one",
    );
    this.#overdue.add(ended);
    void ended.then(() => this.#overdue.delete(ended));
  }

  /** Keeps nothing of an object that is gone: a predicate may keep its key from coming once more. */
  #forget(key: ObjectKey): void {
    // What is under way may still note something of it.
    if (this.underWay.includes(key)) return this.#queue.add(key);
    this.#forgetWork(key);
    this.#followUp.forget(key);
  }

  /** Keeps nothing of what reconciles have read and waited for. */
  #forgetWork(key: ObjectKey): void {
    this.#readers.forget(key);
    this.#reconciler.forget(key);
  }

  #askAll(trigger: Trigger, isMeant: (key: ObjectKey) => boolean = () => true): void {
    for (const key of this.#keys().filter(isMeant)) this.#ask(key, trigger, lowPriority);
  }

  #ask(text: ObjectKey | string, trigger: Trigger, priority: number | undefined): void {
    const key = keyOfKind(this.controller.resource, text);
    if (!this.#isMine(key)) return;
    this.#journal?.asked(key, trigger);
    this.#queue.add(key, priority);
  }

  /** Those that are reconciled here. */
  #objects(): IteratorObject<DeepReadonly<KubeObject>, undefined> {
    const objects = this.#mirrors.own.list();
    return this.#shards === undefined ? objects : objects.filter(({ metadata }) => this.#isMine(objectKey(metadata)));
  }

  /** The keys of those that are reconciled here. */
  #keys(): readonly ObjectKey[] {
    return this.#mirrors.own.keys().filter((key) => this.#isMine(key));
  }

  #isMine(key: ObjectKey): boolean {
    return this.#shards?.holds(key) ?? true;
  }

  /** A promise that is rejected after its reconcile has ended still makes that reconcile a failed one: it is retried. */
  #onPanic(attempt: ReconcileAttempt): void {
    this.#environment.observer?.panicked(this.controller.name);
    if (!this.#attempts.has(attempt) && attempt.panic !== undefined) this.#followUp.retry(attempt.key, 0, attempt.panic.error);
  }

  #abandon(reason: unknown): void {
    for (const attempt of this.#attempts) attempt.abort(reason);
  }

  #sourceScope(name: string, signal: AbortSignal): Parameters<typeof runSource>[1] {
    const { clock, random, outward = (transport) => transport, fence } = this.#environment;
    const isFenced = this.controller.needsLeader && fence !== undefined;
    return {
      signal,
      clock,
      random,
      outward: (transport, server) => (isFenced ? fencedTransport(outward(transport, server), fence) : outward(transport, server)),
      log: this.#log,
      objects: () => this.#objects(),
      keys: () => this.#keys(),
      reads: this.#mirrors.reads,
      working: async (work) => {
        this.#looking++;
        try {
          return await work();
        } finally {
          this.#looking--;
        }
      },
      enqueue: (key, { priority } = {}) => {
        try {
          this.#ask(key, { type: "Source", name }, priority);
        } catch (error) {
          this.#log.error({ err: error, source: name }, "source asked for what cannot be; it is not enqueued");
        }
      },
    };
  }
}
