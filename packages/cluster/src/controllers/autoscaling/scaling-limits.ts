import type { HPAScalingRules, HorizontalPodAutoscalerBehavior } from "@kaji/types/autoscaling/v2";
import type { ScalingHistory } from "./scaling-history.ts";

/** For how long the highest recommendation holds before replicas are taken away. */
const usualWindowMs = 300_000;

/** What is wanted, and what there may be. */
export interface Wish {
  readonly current: number;
  readonly wanted: number;
  readonly min: number;
  readonly max: number;
  readonly nowMs: number;
}

/** How many replicas there shall be, and what is said of it. */
export interface Limited {
  readonly replicas: number;
  /** Of the condition `AbleToScale`: whether earlier recommendations had a say. */
  readonly stabilization: Remark;
  /** Of the condition `ScalingLimited`. */
  readonly limit: Remark & { readonly isLimited: boolean };
}

export interface Remark {
  readonly reason: string;
  readonly message: string;
}

/** How many replicas there shall be, given what was recommended and done of late: no hasty steps down, and no steps that are too large. */
export function limitedReplicas(wish: Wish, behavior: HorizontalPodAutoscalerBehavior | undefined, history: ScalingHistory): Limited {
  const stabilized = behavior === undefined ? highestOfLate(wish, history) : stabilizedReplicas(wish, behavior, history);
  history.recommend(wish.wanted, wish.nowMs);
  const wanted = stabilized.replicas;
  const { replicas, ...remark } = behavior === undefined ? withinUsualRate(wish, wanted) : withinRate(wish, wanted, behavior, history);
  const stabilization = wanted === wish.wanted ? matching : { reason: stabilized.reason, message: stabilized.message };
  return { replicas, stabilization, limit: { ...remark, isLimited: replicas !== wanted } };
}

type Step = Remark & { readonly replicas: number };

const matching: Remark = { reason: "ReadyForNewScale", message: "recommended size matches current size" };
const heldUp: Remark = {
  reason: "ScaleDownStabilized",
  message: "recent recommendations were higher than current one, applying the highest recent recommendation",
};
const heldDown: Remark = {
  reason: "ScaleUpStabilized",
  message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
};
const inRange: Remark = { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" };
const tooMany: Remark = { reason: "TooManyReplicas", message: "the desired replica count is more than the maximum replica count" };
const tooFew: Remark = { reason: "TooFewReplicas", message: "the desired replica count is less than the minimum replica count" };
const tooFastUp: Remark = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
};
const tooFastDown: Remark = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
};

function highestOfLate({ wanted, nowMs }: Wish, history: ScalingHistory): Step {
  // What is as old as the window is still in it.
  return { replicas: Math.max(wanted, ...history.recommendedAfter(nowMs - usualWindowMs - 1)), ...heldUp };
}

/** As few as was recommended at any time of late to have more, and as many to have fewer. */
function stabilizedReplicas({ current, wanted, nowMs }: Wish, behavior: HorizontalPodAutoscalerBehavior, history: ScalingHistory): Step {
  const since = (rules: HPAScalingRules | undefined, usualMs: number): readonly number[] => {
    const windowMs = rules?.stabilizationWindowSeconds === undefined ? usualMs : rules.stabilizationWindowSeconds * 1000;
    return history.recommendedAfter(nowMs - windowMs);
  };
  const lowest = Math.min(wanted, ...since(behavior.scaleUp, 0));
  const highest = Math.max(wanted, ...since(behavior.scaleDown, usualWindowMs));
  return { replicas: Math.min(Math.max(current, lowest), highest), ...(wanted >= current ? heldDown : heldUp) };
}

/** Without rules of its own an autoscaler doubles at the most, or goes up to 4. */
function withinUsualRate({ current, min, max }: Wish, wanted: number): Step {
  const fastest = Math.max(2 * current, 4);
  if (wanted < min) return { replicas: min, ...tooFew };
  if (wanted <= Math.min(max, fastest)) return { replicas: wanted, ...inRange };
  return max > fastest ? { replicas: fastest, ...tooFastUp } : { replicas: max, ...tooMany };
}

function withinRate(wish: Wish, wanted: number, { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior, history: ScalingHistory): Step {
  const { current, min, max } = wish;
  if (wanted > current) {
    const fastest = Math.max(current, scaleUpLimit(wish, scaleUp ?? {}, history));
    if (wanted > Math.min(max, fastest)) return max > fastest ? { replicas: fastest, ...tooFastUp } : { replicas: max, ...tooMany };
  }
  if (wanted < current) {
    const fastest = Math.min(current, scaleDownLimit(wish, scaleDown ?? {}, history));
    if (wanted < Math.max(min, fastest)) return min < fastest ? { replicas: fastest, ...tooFastDown } : { replicas: min, ...tooFew };
  }
  return { replicas: wanted, ...inRange };
}

/** How many replicas the policies allow at the most: each counts from how many there were when its period began. */
function scaleUpLimit({ current, nowMs }: Wish, { selectPolicy, policies = [] }: HPAScalingRules, history: ScalingHistory): number {
  if (selectPolicy === "Disabled") return current;
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const before = current - history.changeSince(nowMs - periodSeconds * 1000);
    return type === "Pods" ? before + value : Math.ceil(before * (1 + value / 100));
  });
  return selectPolicy === "Min" ? Math.min(...limits) : Math.max(...limits);
}

function scaleDownLimit({ current, nowMs }: Wish, { selectPolicy, policies = [] }: HPAScalingRules, history: ScalingHistory): number {
  if (selectPolicy === "Disabled") return current;
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const before = current - history.changeSince(nowMs - periodSeconds * 1000);
    return type === "Pods" ? before - value : Math.trunc(before * (1 - value / 100));
  });
  return selectPolicy === "Min" ? Math.max(...limits) : Math.min(...limits);
}
