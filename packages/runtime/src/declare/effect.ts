import type { JsonValue } from "@kaji/core";
import type { Result } from "./result.ts";

/** For the compiler alone: what an effect of this name results in. */
declare const resultType: unique symbol;

/** The name of an effect, which knows what the effect results in: for `effect` and `undo` alike. */
export type EffectName<R extends JsonValue> = string & { readonly [resultType]: (result: R) => R };

/** Names an effect along with what it results in: `const bucket = effectName<{ id: string }>("bucket")`, for `effect(bucket, …)` and `undo(bucket, …)`. */
export function effectName<R extends JsonValue>(name: string): EffectName<R> {
  // The type is all that there is of it beside the name.
  return name as EffectName<R>;
}

/** Something outside the cluster that belongs to an object, such as a bucket. */
export interface Effect<R extends JsonValue> {
  /** What it is made from. When it changes, `ensure` is called again. Default: nothing. */
  readonly inputs?: JsonValue;
  /**
   * Makes it, or makes it be as wanted. It may be called again with the same token after a crash, and must then find what it made before: the token is the same until the effect
   * is undone, so let it be the name, a tag or an idempotency key.
   */
  ensure(token: string, signal: AbortSignal): Promise<R>;
  /**
   * Whether what was made is still there, and as it was made: asked at each reconcile after that. When it is not, `ensure` is called again with the same token. Default: it is believed to be, and
   * what somebody changes outside stays as it is.
   */
  isIntact?(token: string, result: NoInfer<R>, signal: AbortSignal): Promise<boolean>;
}

/**
 * Removes what an effect has made, or may have made: gets its token, and its result if there is one. It is called again until it succeeds. If what was made takes its time to go, it returns
 * `requeueAfter("10s")` until it is gone: the reconcile ends there, and what comes after `undo` does not happen before.
 */
export type Undo<R extends JsonValue> = (token: string, result: R | undefined, signal: AbortSignal) => Promise<Result>;
