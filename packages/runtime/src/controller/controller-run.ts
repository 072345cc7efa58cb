import { formatKind, objectKey, parseObjectKey } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import { aborted, onAbort } from "./aborted.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import type { Watched } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { catchForgotten } from "../reconcile/forgotten-promises.ts";
import { KeyIntake } from "./key-intake.ts";
import type { Log } from "../log/log.ts";
import { Mirrors } from "./mirrors.ts";
import { exponentialBackoff } from "../queue/rate-limiter.ts";
import { WorkQueue } from "../queue/work-queue.ts";
import type { Lease } from "../queue/work-queue.ts";
import { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import { outcomeOf } from "../reconcile/reconcile-outcome.ts";
import type { Ending } from "../reconcile/reconcile-outcome.ts";
import { Reconciler } from "../reconcile/reconciler.ts";
import type { AddedWatch, ControllerLoad, MirroredKind, RunningController } from "./running-controller.ts";
import { runSource } from "../sources/run-source.ts";
import { Children } from "../writes/children.ts";
import { LoopGuard } from "../writes/loop-guard.ts";
import { ObservedWrites } from "../writes/observed-writes.ts";

/** How long an aborted reconcile may take to end. */
const graceMs = 1000;

/** A controller at work: keys come in from the mirrors and the sources, and each worker reconciles one at a time. */
export class ControllerRun implements RunningController {
  readonly controller: Controller;
  readonly synced: Promise<void>;
  readonly #environment: ControllerEnvironment;
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #mirrors: Mirrors;
  readonly #intake: KeyIntake;
  readonly #reconciler: Reconciler;
  readonly #log: Log;
  readonly #attempts = new Set<ReconcileAttempt>();
  /** Reconciles that took too long and are still not over. Their keys stay leased. */
  readonly #overdue = new Set<Promise<void>>();
  /** Keys whose last reconcile met a conflict. */
  readonly #conflicts = new Set<ObjectKey>();
  readonly #resolveSynced: () => void;

  constructor(controller: Controller, environment: ControllerEnvironment) {
    const { clock, log, observer, informers } = environment;
    const { name } = controller;
    this.controller = controller;
    this.#environment = environment;
    this.#log = log.child({ controller: name, kind: formatKind(controller.resource) });
    this.#queue = new WorkQueue({
      clock,
      limiter: exponentialBackoff(controller.backoff),
      observer: observer && {
        added: () => observer.keyAdded(name),
        taken: (waitedMs) => observer.keyTaken(name, waitedMs),
        done: (workedMs) => observer.keyDone(name, workedMs),
        retried: () => observer.keyRetried(name),
      },
    });
    this.#mirrors = new Mirrors(controller, environment);
    const children = new Children(controller, this.#mirrors, informers);
    this.#intake = new KeyIntake(controller, environment, this.#mirrors, {
      run: this,
      enqueue: (key, priority) => this.#queue.add(key, priority),
      takeWaiting: (resource, key) => children.takeWaiting(resource, key),
    });
    const guard = new LoopGuard(this.#mirrors, environment);
    const writes = new ObservedWrites(controller, environment, (attempt, resource, address) => guard.note(attempt, resource, address));
    this.#reconciler = new Reconciler({ controller, environment, mirrors: this.#mirrors, writes, children });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#resolveSynced = resolve;
  }

  get load(): ControllerLoad {
    const { size, delayed, nextDueInMs, leased, workedMs } = this.#queue;
    return { queued: size, delayed, nextDueInMs, inFlight: leased, workedMs };
  }

  get mirrored(): readonly MirroredKind[] {
    return this.#intake.mirrored;
  }

  enqueue(key: ObjectKey | string): void {
    this.#queue.add(objectKey(parseObjectKey(key)));
  }

  watch(watched: Watched): AddedWatch {
    return this.#intake.watch(watched);
  }

  async run(signal: AbortSignal): Promise<void> {
    using _forgotten = catchForgotten();
    using _mirrors = this.#mirrors;
    using _intake = this.#intake;
    const { abandon, elected } = this.#environment;
    using _abandon = onAbort(abandon, (reason) => this.#abandon(reason));
    const over = aborted(signal);
    const synced = this.#intake.start().then(this.#resolveSynced);
    await Promise.race([this.controller.needsLeader ? Promise.all([synced, elected]) : synced, over]);
    if (signal.aborted) return;
    const sources = this.controller.sources.map((source) => runSource(source, this.#sourceScope(signal)));
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
      // Whatever waits when the controller stops is found again by the next one.
      if (signal.aborted) lease[Symbol.dispose]();
      else await this.#reconcile(lease);
    }
  }

  /** Reconciles a key. It returns when the worker is free again, which is soon after the deadline at the latest. */
  async #reconcile(lease: Lease<ObjectKey>): Promise<void> {
    const { key } = lease;
    const object = this.#reconciler.present(key);
    if (object === undefined) return this.#end(lease, { type: "Done" });
    const { clock, random } = this.#environment;
    const id = random.uuid();
    const attempt = new ReconcileAttempt({
      id,
      run: this,
      key,
      clock,
      generation: object.metadata.generation,
      timeoutMs: this.controller.timeoutMs,
      log: () => this.#log.child({ object: key, reconcileId: id }),
      onPanic: (panicked) => this.#onPanic(panicked),
    });
    const ended = this.#attempt(lease, attempt, object);
    await Promise.race([ended, attempt.aborted]);
    if (this.#attempts.has(attempt)) await this.#outlast(attempt, ended);
  }

  async #attempt(lease: Lease<ObjectKey>, attempt: ReconcileAttempt, object: KubeObject): Promise<void> {
    const { clock, observer, recorder } = this.#environment;
    this.#attempts.add(attempt);
    const startedMs = clock.monotonic();
    const ending = await this.#reconciler.reconcile(attempt, object);
    attempt[Symbol.dispose]();
    this.#attempts.delete(attempt);
    const outcome = outcomeOf(ending);
    if (outcome !== undefined) observer?.reconciled(this.controller.name, outcome, clock.monotonic() - startedMs);
    if (ending.type === "TerminalError") {
      recorder.event(object, { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", message: ending.error.message });
    }
    this.#report(attempt, ending);
    this.#end(lease, ending);
  }

  /** An aborted reconcile has a moment to end. One that does not keeps its key, and the worker goes on without it. */
  async #outlast(attempt: ReconcileAttempt, ended: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _timer = this.#environment.clock.timer(graceMs, resolve);
    await Promise.race([ended, promise]);
    if (!this.#attempts.has(attempt)) return;
    attempt.log.error({ err: attempt.signal.reason }, "reconcile was aborted and goes on all the same; its object waits, others do not");
    this.#overdue.add(ended);
    void ended.then(() => this.#overdue.delete(ended));
  }

  /** Returns the key, and sees to it that it comes again when it should. */
  #end(lease: Lease<ObjectKey>, ending: Ending): void {
    const { key, priority } = lease;
    if (ending.type !== "Conflict") this.#conflicts.delete(key);
    switch (ending.type) {
      case "Done":
      case "TerminalError":
        this.#settled(key);
        break;
      case "RequeueAfter":
        this.#settled(key);
        this.#queue.addAfter(key, ending.delayMs);
        break;
      case "Conflict":
        // At once, since the newer state is nearly always there; with backoff, should it not be.
        if (this.#conflicts.has(key)) this.#retry(key, priority);
        else this.#queue.add(key, priority);
        break;
      case "Requeue":
      case "Error":
      case "Timeout":
        this.#retry(key, priority);
        break;
      case "Aborted":
        break;
      default:
        ending satisfies never;
    }
    if (ending.type === "Conflict") this.#conflicts.add(key);
    lease[Symbol.dispose]();
  }

  /** What was to be retried has been done, and nothing is known of failures any more. */
  #settled(key: ObjectKey): void {
    this.#queue.forget(key);
    this.#queue.cancelDelay(key);
  }

  /** A retry that waits already stays as it is: changes in between must not push it away. */
  #retry(key: ObjectKey, priority: number): void {
    const isWaiting = this.#queue.attempts(key) > 0 && this.#queue.isDelayed(key);
    if (!isWaiting) this.#queue.addRateLimited(key, priority);
  }

  #report(attempt: ReconcileAttempt, ending: Ending): void {
    switch (ending.type) {
      case "Conflict":
        return attempt.log.debug({ err: ending.error }, "somebody else wrote at the same time; reconciling again");
      case "Error":
      case "Timeout":
        return attempt.log.error(
          { err: ending.error, attempt: this.#queue.attempts(attempt.key) + 1 },
          "reconcile failed; it will be retried",
        );
      case "TerminalError":
        return attempt.log.error({ err: ending.error }, "reconcile failed for good; it is not retried until something changes");
      case "Done":
      case "Requeue":
      case "RequeueAfter":
      case "Aborted":
        return;
      default:
        return ending satisfies never;
    }
  }

  /** What goes wrong after a reconcile has ended is its failure all the same. */
  #onPanic(attempt: ReconcileAttempt): void {
    this.#environment.observer?.panicked(this.controller.name);
    if (!this.#attempts.has(attempt)) this.#retry(attempt.key, 0);
  }

  #abandon(reason: unknown): void {
    for (const attempt of this.#attempts) attempt.abort(reason);
  }

  #sourceScope(signal: AbortSignal): Parameters<typeof runSource>[1] {
    const { clock, random } = this.#environment;
    return {
      signal,
      clock,
      random,
      log: this.#log,
      objects: () => this.#mirrors.lister(this.controller.resource).list(),
      enqueue: (key) => this.enqueue(key),
    };
  }
}
