import { conditionsOf, isConditionTrue } from "@kaji/core";
import type { JsonObject } from "@kaji/core";

/** Whether a status has a condition of that type which is true. */
export function hasTrueCondition(status: JsonObject, type: string): boolean {
  return isConditionTrue(conditionsOf(status["conditions"]), type);
}
