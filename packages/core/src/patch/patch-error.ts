import type { StatusReason } from "../error/status.ts";

/**
 * With which reason an API server answers: `BadRequest` when the patch is none, `Invalid` when it does not apply, and none (code 500)
 * where Kubernetes does not classify the error. `Conflict` comes from three-way patches only, which clients make.
 */
export type PatchErrorReason = Extract<StatusReason, "" | "BadRequest" | "Conflict" | "Invalid">;

/** A patch that cannot be applied or made. The message is that of Kubernetes, word by word. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly reason: PatchErrorReason;

  constructor(reason: PatchErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
