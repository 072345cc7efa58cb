/** Something did not end in time: nothing may be given up that it might still depend on. */
export class WorkLeftError extends Error {
  override readonly name = "WorkLeftError";
}
