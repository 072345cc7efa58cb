import { durationMs, errorMessage, thrownError } from "@kaji/core";
import type { DurationLike } from "@kaji/core";
import type { Prioritized } from "./priority.ts";

/**
 * How a reconcile that did not fail ended: done until something changes, done until a time, or not finished. Only one that is done has applied all wanted
 * children, so that the others are deleted.
 */
export type Result =
  | undefined
  | void
  | ({
      readonly type: "RecheckAfter" | "RequeueAfter";
      readonly delayMs: number;
      readonly notBefore?: boolean;
      readonly jitter?: number;
    } & Prioritized)
  | ({ readonly type: "Requeue" } & Prioritized);

/** How an object comes again after a delay. */
export interface DelayOptions extends Prioritized {
  /** Jitter: the delay is made longer by a random part of up to this fraction, so that objects that wait for the same moment do not come all at once. Default 0. */
  readonly jitter?: number | undefined;
}

/** Done, and to be looked at again after a delay, such as `"5m"`, unless something changes before. What is due already, `dueMs - clock.now()` being 0 or less, comes again with backoff. */
export function recheckAfter(delay: DurationLike, { priority, jitter = 0 }: DelayOptions = {}): Result {
  return { type: "RecheckAfter", delayMs: delayMs(delay), priority, ...(jitter > 0 ? { jitter } : {}) };
}

/** Not finished: requeues the object with the backoff of a failure, without counting as one. Default of its priority: as it had. */
export function requeue({ priority }: Prioritized = {}): Result {
  return { type: "Requeue", priority };
}

/** How an object that is not finished comes again. */
export interface RequeueOptions extends DelayOptions {
  /** Whether it does not come sooner, whatever changes: for somebody outside who has asked to wait, as by a 429. Default false. */
  readonly notBefore?: boolean | undefined;
}

/** Not finished, such as while waiting for an object that another controller makes: requeues the object after a delay, such as `"30s"`, unless something changes before; what is due already as `recheckAfter` does. */
export function requeueAfter(delay: DurationLike, { priority, notBefore = false, jitter = 0 }: RequeueOptions = {}): Result {
  return {
    type: "RequeueAfter",
    delayMs: delayMs(delay),
    priority,
    ...(notBefore ? { notBefore } : {}),
    ...(jitter > 0 ? { jitter } : {}),
  };
}

function delayMs(delay: DurationLike): number {
  return typeof delay === "number" && Number.isFinite(delay) ? Math.max(delay, 0) : durationMs(delay);
}

const resultTypes: ReadonlySet<unknown> = new Set(["RecheckAfter", "RequeueAfter", "Requeue"]);

/** Takes what a reconcile returned. Code whose types nobody has looked at can return anything: taken for done, it would have children deleted. */
export function checkedResult(returned: Result): Result {
  if (returned === undefined || resultTypes.has(returned?.type)) return returned;
  throw new TerminalError(
    `it returned ${formOf(returned)}, which is no result; return nothing if all is done, or recheckAfter("30s"), requeueAfter("30s") or requeue()`,
  );
}

/** What a reconcile threw, as an error: a result says when the object comes again only if it is returned. */
export function reconcileError(thrown: unknown): Error {
  const error = thrownError(thrown);
  if (error === thrown || !isResult(thrown)) return error;
  const { type } = thrown;
  const name = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  error.message = `a result was thrown, which says nothing unless it is returned: return ${name}(…)`;
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function isResult(thrown: unknown): thrown is { readonly type: string } {
  try {
    return typeof thrown === "object" && thrown !== null && "type" in thrown && resultTypes.has(thrown.type);
  } catch {
    // Any value can be thrown, even one that throws when it is read.
    return false;
  }
}

/** What was returned by its form alone. What is in it may be a Secret, and the message becomes an event. */
function formOf(returned: unknown): string {
  if (typeof returned === "function") return `the function ${returned.name}`;
  if (typeof returned === "string") return "a text";
  if (Array.isArray(returned)) return "a list";
  return typeof returned === "object" && returned !== null ? `{ ${Object.keys(returned).slice(0, 5).join(", ")} }` : String(returned);
}

/** Whether a reconcile with this result has applied all wanted children. */
export function isDone(result: Result): boolean {
  return result?.type !== "Requeue" && result?.type !== "RequeueAfter";
}

/** A failure that a retry cannot fix: it is reported, and not retried until something changes. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/** Wraps what must not be retried: `throw terminal(error)`. */
export function terminal(cause: unknown): TerminalError {
  return new TerminalError(errorMessage(cause), { cause });
}
