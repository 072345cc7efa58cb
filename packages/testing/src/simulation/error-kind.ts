import { ApiError, isReason } from "@kaji/core";
import { TransportError } from "@kaji/client";
import { UndeclaredError } from "@kaji/runtime";
import type { ErrorKind } from "./trace-entry.ts";

const bugs = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/** What sort of failure an error is. Controllers throw errors of their own to be called again; those that JavaScript throws by itself are bugs. */
export function errorKind(error: unknown): ErrorKind {
  if (error instanceof UndeclaredError || isDenied(error)) return "Forbidden";
  if (error instanceof ApiError || error instanceof TransportError) return "Refusal";
  return bugs.some((type) => error instanceof type) && !isFetchFailure(error) ? "Bug" : "Other";
}

/** A network that fails is told by `fetch` with a TypeError, as if it were a bug. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.message === "fetch failed";
}

/** Whether the user was refused. Admission refuses by the same code what anybody does, such as to make something in a namespace that goes. */
function isDenied(error: unknown): boolean {
  return isReason(error, "Forbidden") && / is forbidden: user "/i.test(error.message);
}
