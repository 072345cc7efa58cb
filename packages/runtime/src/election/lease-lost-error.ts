/**
 * Why nothing may be written.
 *
 * - `NotElected`: somebody else leads, or nobody does yet.
 * - `Expired`: the lease was not renewed in time, so that somebody else may soon lead.
 * - `Taken`: somebody else holds the lease.
 * - `Unsure`: the wall clock says that more time has passed than we noticed, as after a suspended machine; the lease is being renewed.
 * - `Released`: we gave the lease back.
 */
export type LeaseLoss = "NotElected" | "Expired" | "Taken" | "Unsure" | "Released";

/** What only the leader may do was asked for while we are not, or may no longer be, the leader. Decide on `reason`, never on the message. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly reason: LeaseLoss;

  constructor(reason: LeaseLoss, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
