import { findCondition } from "@kaji/core";

/** A condition of a built-in kind: some have neither reason nor message, and some say when they were last looked at. */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The conditions with this one at their end, in place of the one of its type. One of the same status and reason is left as it is, whatever its message; one of
 * the same status keeps its time of transition.
 */
export function withCondition<C extends StatusCondition>(conditions: readonly C[] = [], next: C): readonly C[] {
  const present = findCondition(conditions, next.type);
  if (present?.status === next.status && present.reason === next.reason) return conditions;
  const isSameStatus = present?.status === next.status && present.lastTransitionTime !== undefined;
  const kept = isSameStatus ? { lastTransitionTime: present.lastTransitionTime } : {};
  return [...withoutCondition(conditions, next.type), { ...next, ...kept }];
}

/** The conditions but for that of a type. */
export function withoutCondition<C extends StatusCondition>(conditions: readonly C[] = [], type: string): readonly C[] {
  return conditions.filter((condition) => condition.type !== type);
}
