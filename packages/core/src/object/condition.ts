import type { Clock } from "../outside/clock.ts";
import { formatTime } from "../scalar/time.ts";

/** One observation of an object's state, as `status.conditions` lists them: one of each type. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** The `metadata.generation` that was observed. */
  readonly observedGeneration?: number;
  /** When `status` last changed, not when it was last looked at. */
  readonly lastTransitionTime: string;
  /** Why, as one word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** A condition as a controller states it; `setCondition` knows when it changed. */
export type ConditionDraft = Omit<Condition, "lastTransitionTime"> & Partial<Pick<Condition, "lastTransitionTime">>;

/**
 * The conditions with this one in place of the one of its type, or added at the end.
 * The time of the transition moves only when the status changes; if nothing changes, the very same list is returned.
 */
export function setCondition(
  conditions: readonly Condition[] = [],
  draft: ConditionDraft,
  clock: Pick<Clock, "now">,
): readonly Condition[] {
  const index = conditions.findIndex(({ type }) => type === draft.type);
  const present = conditions[index];
  const kept = present?.status === draft.status ? present.lastTransitionTime : draft.lastTransitionTime;
  const condition: Condition = { ...draft, lastTransitionTime: kept ?? formatTime(clock.now()) };
  if (present === undefined) return [...conditions, condition];
  return isSame(present, condition) ? conditions : conditions.with(index, condition);
}

/** The conditions in the `status.conditions` of an object whose type is not known: all items that have a type. */
export function conditionsOf(value: unknown): readonly Condition[] {
  return Array.isArray(value) ? value.filter(isCondition) : [];
}

/** The condition of that type. Those of built-in kinds will do too, though they have no generation, and some no reason. */
export function findCondition<C extends Pick<Condition, "type">>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of that type is there and true. */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === "True";
}

function isCondition(value: unknown): value is Condition {
  return typeof value === "object" && value !== null && "type" in value;
}

function isSame(left: Condition, right: Condition): boolean {
  return (
    left.status === right.status &&
    left.reason === right.reason &&
    left.message === right.message &&
    left.observedGeneration === right.observedGeneration
  );
}
