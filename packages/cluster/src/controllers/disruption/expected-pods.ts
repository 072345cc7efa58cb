import { controllerOf, errorMessage, scaledValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { Pod } from "@kaji/types/core/v1";
import type { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { controllerScale } from "./controller-scale.ts";
import type { ScaleReads } from "./controller-scale.ts";

/** How many pods there should be, and how many of them healthy. */
export type Expectation =
  | { readonly type: "Numbers"; readonly expected: number; readonly desired: number; readonly hasUnmanaged: boolean }
  /** The controllers do not say how many pods there should be. */
  | { readonly type: "Failure"; readonly message: string };

/** What a budget expects of its pods; for percentages and `maxUnavailable`, their controllers must say how many pods they want. */
export async function expectedPods({ spec }: PodDisruptionBudget, pods: readonly Pod[], reads: ScaleReads): Promise<Expectation> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== "string") {
    return { type: "Numbers", expected: pods.length, desired: minAvailable ?? 0, hasUnmanaged: false };
  }
  try {
    const { total: expected, hasUnmanaged } = await totalScale(pods, reads);
    const desired =
      maxUnavailable === undefined
        ? scaledValue(minAvailable ?? 0, expected, "up")
        : Math.max(0, expected - scaledValue(maxUnavailable, expected, "up"));
    return { type: "Numbers", expected, desired, hasUnmanaged };
  } catch (error) {
    reads.signal.throwIfAborted();
    return { type: "Failure", message: errorMessage(error) };
  }
}

async function totalScale(pods: readonly Pod[], reads: ScaleReads): Promise<{ readonly total: number; readonly hasUnmanaged: boolean }> {
  const scales = new Map<string, number>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) hasUnmanaged = true;
    else if (!scales.has(controller.uid)) {
      const found = await controllerScale(controller, pod.metadata.namespace ?? "", reads);
      if (found === undefined) throw new Error(`found no controllers for pod ${quote(pod.metadata.name)}`);
      scales.set(found.uid, found.replicas);
    }
  }
  return { total: scales.values().reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged };
}
