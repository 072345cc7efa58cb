/** How a reconcile ended. */
export type Outcome = "Done" | "Requeue" | "RequeueAfter" | "Conflict" | "Error" | "TerminalError" | "Timeout";

/** Is told what controllers do, for metrics. It must not throw. */
export interface ControllerObserver {
  /** A key was added that did not wait already. */
  keyAdded(controller: string): void;
  /** A worker took a key, after it had waited. */
  keyTaken(controller: string, waitedMs: number): void;
  /** A worker is finished with a key. */
  keyDone(controller: string, workedMs: number): void;
  /** A key is to be tried again with backoff. */
  keyRetried(controller: string): void;
  reconciled(controller: string, outcome: Outcome, durationMs: number): void;
  /** A promise that a reconcile forgot was rejected. */
  panicked(controller: string): void;
}
