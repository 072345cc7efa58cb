import type { JsonValue } from "@kaji/core";

/** For the compiler alone: what an effect of this name results in. */
declare const resultType: unique symbol;

/** The name of an effect, which knows what the effect results in: for `effect` and `undo` alike. */
export type EffectName<R extends JsonValue> = string & { readonly [resultType]: (result: R) => R };

/** Names an effect along with what it results in: `const bucket = effectName<{ id: string }>("bucket")`, for `effect(bucket, …)` and `undo(bucket, …)`. */
export function effectName<R extends JsonValue>(name: string): EffectName<R> {
  // The type is all that there is of it beside the name.
  return name as EffectName<R>;
}
