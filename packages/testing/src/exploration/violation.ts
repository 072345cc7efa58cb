/** What tells right from wrong. */
export type Oracle =
  | "convergence"
  | "end state"
  | "path independence"
  | "consistency"
  | "protected delete"
  | "over-create"
  | "orphan create"
  | "steady state"
  | "idempotency"
  | "status honesty"
  | "lost edit"
  | "exception"
  | "forgotten promise"
  | "least privilege"
  | "invariant"
  | "real I/O"
  | "nondeterminism";

/** Something that must not be. */
export interface Violation {
  readonly oracle: Oracle;
  /** What it is about: an object, a kind, an invariant. Two violations of one oracle about one subject, with one failure, have one cause. */
  readonly subject: string;
  readonly message: string;
  /** The last reconcile that had begun when it came about, where that is known. */
  readonly reconcile?: number | undefined;
  readonly details?: readonly string[];
  /** What reconciles fail with, where it is about that. */
  readonly failure?: string | undefined;
}
