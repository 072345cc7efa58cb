/**
 * Why writes are refused.
 *
 * - `NotElected`: another replica leads, or none does yet.
 * - `Expired`: the lease was not renewed in time, so that another replica may soon lead.
 * - `Taken`: another replica holds the lease.
 * - `Unsure`: the wall clock says that more time has passed than we noticed, as after a suspended machine; the lease is being renewed.
 * - `Released`: this replica released the lease.
 */
export type LeaseLoss = "NotElected" | "Expired" | "Taken" | "Unsure" | "Released";

/** A call that only the leader may make, while this replica is not, or may no longer be, the leader. Decide on `reason`, never on the message. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  readonly reason: LeaseLoss;

  constructor(reason: LeaseLoss, message: string) {
    super(message);
    this.reason = reason;
  }
}
