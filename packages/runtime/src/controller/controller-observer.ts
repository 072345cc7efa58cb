import type { ObjectKey } from "@kaji/core";
import type { CountedOutcome } from "../reconcile/reconcile-outcome.ts";

/** Which reconcile ended, and with which error if it failed. */
export interface ReconcileEnd {
  readonly key: ObjectKey;
  readonly error: Error | undefined;
}

/** Is told what controllers do, for metrics and tests. It must not throw. */
export interface ControllerObserver {
  /** A key was added that did not wait already. */
  keyAdded(controller: string): void;
  /** A worker took a key, after it had waited. */
  keyTaken(controller: string, waitedMs: number): void;
  /** A worker is finished with a key. */
  keyDone(controller: string, workedMs: number): void;
  /** A key is to be tried again with backoff. */
  keyRetried(controller: string): void;
  reconciled(controller: string, outcome: CountedOutcome, durationMs: number, end: ReconcileEnd): void;
  /** A promise that a reconcile did not await was rejected. */
  panicked(controller: string): void;
}
