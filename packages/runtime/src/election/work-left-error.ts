/** Runnables did not stop in time: whatever they may still use, such as the lease, must not be released. */
export class WorkLeftError extends Error {
  override readonly name = "WorkLeftError";
}
