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
  /** How many things had happened in the run when it came about, where it is about a moment. */
  readonly after?: number | undefined;
  /** The objects that it depends on, where it is about the end of a run. */
  readonly dependsOn?: readonly string[] | undefined;
  /** Present where it shows only when all is reconciled once more, or time goes by, with nothing to do. */
  readonly isPrompted?: true;
  /** What reconciles fail with, where it is about that. */
  readonly failure?: string | undefined;
}
