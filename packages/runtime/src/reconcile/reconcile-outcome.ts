import { isNamespaceEnding, isReason, thrownError } from "@kaji/core";
import type { Random } from "@kaji/core";
import { DeadlineError } from "../declare/deadline-error.ts";
import type { Prioritized } from "../declare/priority.ts";
import type { Result } from "../declare/result.ts";
import { TerminalError } from "../declare/result.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";

/** How a reconcile ended, and what follows from it. */
export type ReconcileOutcome =
  | { readonly type: "Done" }
  | ({ readonly type: "Requeue" } & Prioritized)
  | ({ readonly type: "RecheckAfter" | "RequeueAfter"; readonly delayMs: number; readonly notBefore?: boolean } & Prioritized)
  | { readonly type: "Conflict" | "NamespaceEnding" | "Error" | "TerminalError" | "Timeout" | "Aborted"; readonly error: Error };

/** Whether an outcome passes by itself: it says nothing about the object, and is a failure only if it lasts. */
export function isPassing<Type extends ReconcileOutcome["type"]>(type: Type): type is Type & ("Conflict" | "NamespaceEnding") {
  return type === "Conflict" || type === "NamespaceEnding";
}

/** The outcomes that observers and metrics count: an aborted reconcile is not counted. */
export type CountedOutcome = Exclude<ReconcileOutcome["type"], "Aborted">;

/** The outcome of a reconcile that returned. One that is always due at once would come again and again, so that it comes with backoff. */
export function outcomeOf(result: Result, random: Pick<Random, "next">): ReconcileOutcome {
  if (result === undefined) return { type: "Done" };
  if (!("delayMs" in result)) return result;
  const { jitter = 0, ...outcome } = result;
  if (outcome.delayMs === 0) return { type: "Requeue", priority: outcome.priority };
  return jitter === 0 ? outcome : { ...outcome, delayMs: outcome.delayMs * (1 + jitter * random.next()) };
}

/** The outcome of a reconcile that threw. An error thrown after the signal was aborted is taken for a consequence of the abort. */
export function outcomeOfFailure(error: Error, signal: AbortSignal): ReconcileOutcome {
  if (signal.aborted) {
    const reason = thrownError(signal.reason);
    return { type: reason instanceof DeadlineError ? "Timeout" : "Aborted", error: reason };
  }
  // An undeclared call is a bug of the controller: a retry would fail in the same way.
  if (error instanceof TerminalError || error instanceof UndeclaredError) return { type: "TerminalError", error };
  if (isNamespaceEnding(error)) return { type: "NamespaceEnding", error };
  return { type: isOutdated(error) ? "Conflict" : "Error", error };
}

/** Whether a write was refused because somebody else wrote in between. An apply that wants a field of another manager will want it again: that is no such conflict. */
function isOutdated(error: Error): boolean {
  return isReason(error, "Conflict") && error.details?.causes?.some(({ reason }) => reason === "FieldManagerConflict") !== true;
}
