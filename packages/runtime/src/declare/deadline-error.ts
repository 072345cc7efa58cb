/** A reconcile took longer than it may. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}
