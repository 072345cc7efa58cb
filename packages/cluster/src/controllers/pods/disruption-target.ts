import { formatTime } from "@kaji/core";
import type { Pod, PodCondition } from "@kaji/types/core/v1";
import { withCondition } from "../status-condition.ts";

/** The conditions of a pod that has to go through no fault of its own, with `DisruptionTarget`, which says why. */
export function disruptedConditions(
  { metadata, status }: Pod,
  why: { readonly reason: string; readonly message: string },
  nowMs: number,
): readonly PodCondition[] {
  const { generation } = metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const target = { type: "DisruptionTarget", status: "True", ...why, ...observed, lastTransitionTime: formatTime(nowMs) } as const;
  return withCondition<PodCondition>(status?.conditions, target);
}
