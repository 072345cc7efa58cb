import { ApiError, isReason } from "@kaji/core";
import { TransportError } from "@kaji/client";
import { UndeclaredError } from "@kaji/runtime";
import type { ErrorKind } from "./trace.ts";

const bugs = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/** What sort of failure an error is. Controllers throw errors of their own to be called again; those that JavaScript throws by itself are bugs. */
export function errorKind(error: unknown): ErrorKind {
  if (error instanceof UndeclaredError || isReason(error, "Forbidden")) return "Forbidden";
  if (error instanceof ApiError || error instanceof TransportError) return "Refusal";
  return bugs.some((type) => error instanceof type) ? "Bug" : "Other";
}
