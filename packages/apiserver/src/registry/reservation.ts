import type { DynamicObject } from "@kaji/core";
import type { Strategy, StrategyContext } from "../strategy.ts";

/** How a write ended, and whether the object is in storage with what was reserved for it. */
export interface Attempt<T> {
  readonly outcome: T;
  readonly stored: boolean;
}

/** Writes an object while it holds what its kind's strategy reserves for it. */
export async function withReservation<T>(
  strategy: Strategy,
  object: DynamicObject,
  old: DynamicObject | undefined,
  context: StrategyContext,
  write: (object: DynamicObject) => Promise<Attempt<T>>,
): Promise<T> {
  const reservation = await strategy.reserve?.(object, old, context);
  let isStored = false;
  try {
    const { outcome, stored } = await write(reservation?.object ?? object);
    isStored = stored;
    return outcome;
  } finally {
    await reservation?.settle(isStored);
  }
}
