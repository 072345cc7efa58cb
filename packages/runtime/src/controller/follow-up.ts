import { messageWithCauses } from "@kaji/core";
import type { Clock, KubeObject, ObjectKey } from "@kaji/core";
import type { ControllerEnvironment } from "./controller-environment.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import { FailingObjects } from "./failing-objects.ts";
import type { KeyLease, WorkQueue } from "../queue/work-queue.ts";
import type { ReconcileAttempt } from "../reconcile/reconcile-attempt.ts";
import type { ReconcileJournal } from "../reconcile/reconcile-journal.ts";
import { isPassing } from "../reconcile/reconcile-outcome.ts";
import type { ReconcileOutcome } from "../reconcile/reconcile-outcome.ts";
import type { Trigger } from "../reconcile/reconcile-report.ts";

/** An object that has failed for so long gets an event, and what passes by itself and has not for so long is a failure: before, it is not worth a word. */
const lastingMs = 10_000;

/** What follows from how a reconcile ended: when its object comes again, and who is told. */
export class FollowUp {
  readonly #queue: WorkQueue<ObjectKey>;
  /** Undefined when `kaji:reconcile` has no subscriber. */
  readonly #journal: ReconcileJournal | undefined;
  readonly #recorder: EventRecorder;
  readonly #failing: FailingObjects;
  readonly #clock: Clock;
  /** When the first of what passes by itself was, of keys that have met some since they last ended well. */
  readonly #passing = new Map<ObjectKey, number>();

  constructor(
    queue: WorkQueue<ObjectKey>,
    journal: ReconcileJournal | undefined,
    { clock, recorder }: Pick<ControllerEnvironment, "clock" | "recorder">,
  ) {
    this.#queue = queue;
    this.#journal = journal;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#failing = new FailingObjects(clock);
  }

  /** How many objects failed at last, of those that count. */
  countFailing(isCounted: (key: ObjectKey) => boolean): number {
    return this.#failing.count(isCounted);
  }

  /** What an outcome comes to: what passes by itself, and does not, is a failure. */
  judge(key: ObjectKey, outcome: ReconcileOutcome): ReconcileOutcome {
    const sinceMs = this.#passing.get(key);
    const isLasting = sinceMs !== undefined && this.#clock.monotonic() - sinceMs >= lastingMs;
    return "error" in outcome && isPassing(outcome.type) && isLasting ? { ...outcome, type: "Error" } : outcome;
  }

  /** Notes that the delay of a key is over, if it is: before another takes its place. */
  noteDue(key: ObjectKey): void {
    if (!this.#queue.isDelayed(key)) this.#journal?.due(key);
  }

  /** Returns the key to the queue, and requeues it if the outcome says so. */
  end(lease: KeyLease<ObjectKey>, outcome: ReconcileOutcome): void {
    const { key, priority } = lease;
    this.noteDue(key);
    this.#failing.note(key, outcome);
    switch (outcome.type) {
      case "Done":
      case "TerminalError":
        this.#settled(key);
        break;
      case "RecheckAfter":
      case "RequeueAfter":
        this.#settled(key);
        this.#journal?.later(key, { type: "Timer", afterMs: outcome.delayMs });
        if (outcome.notBefore === true) this.#queue.addNotBefore(key, outcome.delayMs, outcome.priority);
        else this.#queue.addAfter(key, outcome.delayMs, outcome.priority);
        break;
      case "Conflict":
        this.#afterConflict(key, priority);
        break;
      case "NamespaceEnding":
        this.#passing.set(key, this.#passing.get(key) ?? this.#clock.monotonic());
        this.retry(key, priority, { type: "Requeue" });
        break;
      case "Requeue":
        this.#passing.delete(key);
        this.retry(key, outcome.priority ?? priority, { type: "Requeue" });
        break;
      case "Error":
      case "Timeout":
        this.retry(key, priority, outcome.error);
        break;
      case "Aborted":
        break;
      default:
        outcome satisfies never;
    }
    lease[Symbol.dispose]();
  }

  /** The object is gone: nothing follows from how its reconciles have ended. */
  forget(key: ObjectKey): void {
    this.#failing.note(key, { type: "Done" });
    this.#settled(key);
  }

  /** Lets a key come again with backoff. A pending retry is left as it is: reconciles caused by changes must not postpone it. */
  retry(key: ObjectKey, priority: number, why: Error | Trigger): void {
    const attempt = this.#queue.attempts(key) + 1;
    if (attempt > 1 && this.#queue.isDelayed(key)) return;
    this.#journal?.later(key, why instanceof Error ? { type: "Retry", attempt, error: why } : why);
    this.#queue.addRateLimited(key, priority);
  }

  /** Tells of a reconcile that failed: the log, and where it is worth it, the users of the object. */
  report({ key, log }: ReconcileAttempt, object: KubeObject, outcome: ReconcileOutcome): void {
    switch (outcome.type) {
      case "Conflict":
        return log.debug({ err: outcome.error }, "write conflict; requeued");
      case "NamespaceEnding":
        return log.debug({ err: outcome.error }, "a namespace is being deleted; requeued");
      case "Error":
      case "Timeout": {
        const [attempt, retryInMs] = [this.#queue.attempts(key), Math.round(this.#queue.dueInMs(key) ?? 0)];
        log.error({ err: outcome.error, attempt, retryInMs }, "reconcile failed; requeued with backoff");
        return (this.#failing.forMs(key) ?? 0) < lastingMs ? undefined : this.#recordFailure(object, outcome.error);
      }
      case "TerminalError":
        log.error({ err: outcome.error }, "reconcile failed with a terminal error; not retried until something changes");
        return this.#recordFailure(object, outcome.error);
      case "Done":
      case "RecheckAfter":
      case "Requeue":
      case "RequeueAfter":
      case "Aborted":
        return;
      default:
        return outcome satisfies never;
    }
  }

  /** Cancels the pending retry and resets the backoff. */
  #settled(key: ObjectKey): void {
    this.#queue.forget(key);
    this.#queue.cancelDelay(key);
    this.#passing.delete(key);
    this.#journal?.later(key, undefined);
  }

  /** The first time at once: the cache has usually caught up by now. From the second time on with backoff. */
  #afterConflict(key: ObjectKey, priority: number): void {
    const trigger: Trigger = { type: "Conflict" };
    if (this.#passing.has(key)) return this.retry(key, priority, trigger);
    this.#passing.set(key, this.#clock.monotonic());
    this.#journal?.asked(key, trigger);
    this.#queue.add(key, priority);
  }

  #recordFailure(object: KubeObject, error: Error): void {
    const message = messageWithCauses(error);
    this.#recorder.event(object, { type: "Warning", reason: "ReconcileFailed", action: "Reconcile", message });
  }
}
