import { ProxyTracerProvider, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Span } from "@opentelemetry/api";
import { addFinalizer, formatKind, hasFinalizer, removeFinalizer } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { ContextParts } from "./open-context.ts";
import { openContext } from "./open-context.ts";
import { remembering } from "./forgotten-promises.ts";
import type { ReconcileAttempt } from "./reconcile-attempt.ts";
import { isPassing, outcomeOf, outcomeOfFailure } from "./reconcile-outcome.ts";
import type { FinalizerChange } from "./reconcile-report.ts";
import type { ReconcileOutcome } from "./reconcile-outcome.ts";
import { checkedResult, isDone, reconcileError } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import { UnfinishedUndo } from "./unfinished-undo.ts";
import { unlessAbsent } from "../writes/absence.ts";
import { confirmGenerated, confirmObject } from "../writes/confirm-object.ts";
import { OwnerDeletionError } from "../writes/owner-deletion-error.ts";
import { UnconfirmedObjects } from "../writes/unconfirmed-objects.ts";
import type { UnconfirmedObject } from "../writes/unconfirmed-objects.ts";

const tracerName = "@kaji/runtime";
const tracer = trace.getTracer(tracerName);

/** Reconciles one object: adds and removes the finalizer, calls the controller's code, and prunes children that are no longer wanted. */
export class Reconciler {
  readonly #parts: ContextParts;
  readonly #unconfirmed: UnconfirmedObjects;

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.#unconfirmed = new UnconfirmedObjects(parts.controller.resource);
  }

  /** The object as it is now; undefined if it is gone. */
  present(key: ObjectKey): KubeObject | undefined {
    return this.#parts.mirrors.own.get(key);
  }

  /** The object is gone, or is reconciled elsewhere. */
  forget(key: ObjectKey): void {
    this.#unconfirmed.forget(key);
    this.#parts.children.ownership.forget(key);
  }

  /**
   * Another client has deleted a child of the object. Often that is the garbage collector, since the object is gone or about to go, and the event that says so is late: without a look
   * at the server the child would be made and collected again and again until it comes.
   */
  noteLostChild(key: ObjectKey): void {
    this.#unconfirmed.add(key);
  }

  /**
   * A write for the object may have been done, and nobody has heard of it. The cache does not show it until its event comes: whoever looks there for what is to be cleaned up would leave behind what was made,
   * and whoever looks for what is missing would make it twice.
   */
  noteUnanswered(key: ObjectKey, object: UnconfirmedObject): void {
    // What is not mirrored is read from the server anyway, and an object that is gone is not reconciled any more.
    const isRead = this.#parts.mirrors.isMirrored(object.resource) && this.present(key) !== undefined;
    if (isRead) this.#unconfirmed.add(key, [object]);
  }

  /** Reconciles the object. Never rejects: a failure is an outcome. */
  async reconcile(attempt: ReconcileAttempt, object: KubeObject): Promise<ReconcileOutcome> {
    if (!isTraced()) return this.#attempt(attempt, object);
    const { controller } = this.#parts;
    const attributes = {
      "kaji.controller": controller.name,
      "kaji.reconcile_id": attempt.id,
      "k8s.object.kind": formatKind(controller.resource),
      "k8s.object.key": attempt.key,
    };
    return tracer.startActiveSpan(`reconcile ${controller.name}`, { attributes }, async (span) => {
      const outcome = await this.#attempt(attempt, object);
      endSpan(span, outcome);
      return outcome;
    });
  }

  async #attempt(attempt: ReconcileAttempt, object: KubeObject): Promise<ReconcileOutcome> {
    const { random } = this.#parts.environment;
    try {
      const result = await remembering(attempt, () => this.#runWhole(attempt, object));
      return attempt.panic === undefined ? outcomeOf(result, random) : outcomeOfFailure(attempt.panic.error, attempt.signal);
    } catch (error) {
      if (error instanceof UnfinishedUndo && !attempt.signal.aborted) return outcomeOf(error.result, random);
      return outcomeOfFailure(reconcileError(error), attempt.signal);
    }
  }

  async #runWhole(attempt: ReconcileAttempt, object: KubeObject): Promise<Result> {
    try {
      return await (this.#unconfirmed.has(attempt.key) ? this.#confirmAndRun(attempt, object) : this.#run(attempt, object));
    } finally {
      // When one of several writes has failed, others may be under way, and the cache would not show the next reconcile what they make.
      await attempt.close();
    }
  }

  async #confirmAndRun(attempt: ReconcileAttempt, { metadata }: KubeObject): Promise<Result> {
    const { controller, environment } = this.#parts;
    const { key, signal } = attempt;
    const others = new Set(this.#unconfirmed.take(key));
    try {
      for (const other of others) {
        const confirm = other.address.name === "" ? confirmGenerated : confirmObject;
        await confirm(environment, other.resource, other.address, signal);
        others.delete(other);
      }
      // Last of all: in a state older than theirs it may want gone what it has come to want again.
      await confirmObject(environment, controller.resource, metadata, signal);
    } catch (error) {
      this.#unconfirmed.add(key, others);
      throw error;
    }
    const present = this.present(key);
    return present === undefined ? undefined : this.#run(attempt, present);
  }

  async #run(attempt: ReconcileAttempt, object: KubeObject): Promise<Result> {
    const { controller } = this.#parts;
    const { finalizer } = controller;
    if (finalizer === undefined) return this.#reconcile(attempt, object);
    const isGuarded = hasFinalizer(object, finalizer);
    if (isGoing(object)) return isGuarded ? (await this.#finalize(attempt, object, finalizer)).result : undefined;
    const isToBeGuarded = this.#finalizes(attempt, object);
    if (isGuarded === isToBeGuarded) return this.#reconcile(attempt, object);
    if (isToBeGuarded) return this.#guard(attempt, object, finalizer);
    const { result, released } = await this.#finalize(attempt, object, finalizer);
    return released === undefined || isGoing(released) ? result : this.#reconcile(attempt, released);
  }

  #finalizes(attempt: ReconcileAttempt, object: KubeObject): boolean {
    const { finalizes } = this.#parts.controller;
    return finalizes === undefined || finalizes(object as never, openContext(this.#parts, attempt, object).context as never);
  }

  /** Adds the finalizer before anything is done for the object. */
  async #guard(attempt: ReconcileAttempt, object: KubeObject, finalizer: string): Promise<Result> {
    const guarded = await this.#patchFinalizers(attempt, addFinalizer(object, finalizer), { change: "Add", name: finalizer });
    if (guarded !== undefined && !hasFinalizer(guarded, finalizer))
      throw new Error(
        `${formatKind(this.#parts.controller.resource)} ${attempt.key} has not kept the finalizer ${finalizer}: look for an admission webhook that removes it`,
      );
    return guarded === undefined ? undefined : this.#run(attempt, guarded);
  }

  async #reconcile(attempt: ReconcileAttempt, object: KubeObject): Promise<Result> {
    const { controller, children } = this.#parts;
    const { context, scope } = openContext(this.#parts, attempt, object);
    let result: Result;
    try {
      result = checkedResult(await controller.reconcile(object as never, context as never));
    } catch (error) {
      // There is nothing left to do for an object that waits for the garbage collector.
      if (!(error instanceof OwnerDeletionError)) throw error;
    }
    if (isDone(result) && !isGoing(object) && attempt.panic === undefined) await children.prune(scope);
    return result;
  }

  /** Undoes what was done for the object, and removes the finalizer when that is done. */
  async #finalize(attempt: ReconcileAttempt, object: KubeObject, finalizer: string): Promise<Finalized> {
    const { context, scope } = openContext(this.#parts, attempt, object);
    const result = checkedResult(await this.#parts.controller.finalize?.(object as never, context as never));
    if (result !== undefined) return { result };
    await this.#parts.children.ownership.elsewhere?.removeAll(scope);
    // `finalize` or another client may have written the object meanwhile.
    const present = this.present(attempt.key);
    if (present === undefined || present.metadata.uid !== object.metadata.uid) return {};
    return { released: await this.#patchFinalizers(attempt, removeFinalizer(present, finalizer), { change: "Remove", name: finalizer }) };
  }

  /** The object with these finalizers; undefined if it is gone. */
  async #patchFinalizers(attempt: ReconcileAttempt, object: KubeObject, change: FinalizerChange): Promise<KubeObject | undefined> {
    const { controller, writes } = this.#parts;
    return unlessAbsent(object.metadata, writes.patchFinalizers(attempt, controller.resource, object, change));
  }
}

/** How far an object was finalized. */
interface Finalized {
  /** Present where there is more to do. */
  readonly result?: Result;
  /** The object without the finalizer; absent where it is gone, or still has it. */
  readonly released?: KubeObject | undefined;
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether the program has registered where spans go. Without that they would cost as much, and go nowhere. */
function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(tracerName) !== undefined;
}

/** Says in a span how it ended. */
function endSpan(span: Span, outcome: ReconcileOutcome): void {
  span.setAttribute("kaji.outcome", outcome.type);
  if ("error" in outcome && !isPassing(outcome.type)) span.setStatus({ code: SpanStatusCode.ERROR, message: String(outcome.error) });
  span.end();
}
