import { durationMs } from "@kaji/core";
import type { DurationLike } from "@kaji/core";

/** How a reconcile that did not fail ended: settled until something changes, or to be asked for again. */
export type Result = undefined | void | { readonly type: "Requeue" } | { readonly type: "RequeueAfter"; readonly delayMs: number };

/** Asks for the same object again, with the backoff of a failure but without being one. */
export function requeue(): Result {
  return { type: "Requeue" };
}

/** Asks for the same object again after a delay, such as `"30s"`, unless something changes before. */
export function requeueAfter(delay: DurationLike): Result {
  return { type: "RequeueAfter", delayMs: durationMs(delay) };
}

/** A failure that trying again cannot mend: it is reported, and not retried until the object changes. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/** Wraps what must not be retried: `throw terminal(error)`. */
export function terminal(cause: unknown): TerminalError {
  return new TerminalError(cause instanceof Error ? cause.message : String(cause), { cause });
}
