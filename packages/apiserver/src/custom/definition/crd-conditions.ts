import { findCondition, formatTime } from "@kaji/core";
import type { Condition } from "@kaji/core";
import type { CrdStatus } from "./crd.ts";

/** A condition as the server states it. */
export type CrdCondition = Pick<Condition, "type" | "status" | "reason" | "message">;

/** The status with a condition in place of the one of its type. The very same status if it says so already. */
export function withCondition(status: CrdStatus | undefined, condition: CrdCondition, nowMs: number): CrdStatus {
  const given: CrdStatus = status ?? { acceptedNames: { plural: "", kind: "" } };
  const conditions = given.conditions ?? [];
  const present = findCondition(conditions, condition.type);
  if (present !== undefined && isSame(present, condition)) return given;
  const lastTransitionTime = present?.status === condition.status ? present.lastTransitionTime : formatTime(nowMs);
  const changed: Condition = { ...present, ...condition, lastTransitionTime };
  return {
    ...given,
    conditions: present === undefined ? [...conditions, changed] : conditions.map((other) => (other === present ? changed : other)),
  };
}

function isSame(left: CrdCondition, right: CrdCondition): boolean {
  return left.status === right.status && left.reason === right.reason && left.message === right.message;
}
