import { isReason } from "@kaji/core";
import type { Outcome } from "../controller/controller-observer.ts";
import { DeadlineError } from "./reconcile-attempt.ts";
import type { Result } from "../declare/result.ts";
import { TerminalError } from "../declare/result.ts";
import { thrownError } from "../thrown-error.ts";

/** How a reconcile ended, and what follows from it. */
export type Ending =
  | { readonly type: "Done" | "Requeue" }
  | { readonly type: "RequeueAfter"; readonly delayMs: number }
  | { readonly type: "Conflict" | "Error" | "TerminalError" | "Timeout" | "Aborted"; readonly error: Error };

/** The ending that a result means. Whatever else a program without types returns, it is done. */
export function endingOf(result: Result): Ending {
  switch (result?.type) {
    case "Requeue":
    case "RequeueAfter":
      return result;
    default:
      return { type: "Done" };
  }
}

/** The ending that a failure means. What a reconcile throws after its signal was aborted is a consequence of that. */
export function endingOfFailure(error: Error, signal: AbortSignal): Ending {
  if (signal.aborted) {
    const reason = thrownError(signal.reason);
    return { type: reason instanceof DeadlineError ? "Timeout" : "Aborted", error: reason };
  }
  if (error instanceof TerminalError) return { type: "TerminalError", error };
  return { type: isReason(error, "Conflict") ? "Conflict" : "Error", error };
}

/** The outcome to count; an aborted reconcile is none. */
export function outcomeOf({ type }: Ending): Outcome | undefined {
  return type === "Aborted" ? undefined : type;
}
