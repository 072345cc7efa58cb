import { parseTime, setCondition, structuralEqual } from "@kaji/core";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { Pod, ReplicationController } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import type { PodDisruptionBudgetStatus } from "@kaji/types/policy/v1";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { labelSelectorText } from "../label-selector-text.ts";
import { isPodReady } from "../pods/pod-state.ts";
import { podsByLabel } from "../pods/selected-pods.ts";
import { budgetsOf, podsOf } from "./budget-pods.ts";
import type { ScaleReads } from "./controller-scale.ts";
import { expectedPods } from "./expected-pods.ts";
import type { Expectation } from "./expected-pods.ts";

/** How long after its eviction was allowed a pod may still exist before it counts as healthy again. */
const deletionTimeoutMs = 120_000;

/** Makes a controller that says how many pods of each PodDisruptionBudget may go now; by the client it asks for the scale of controllers of any kind. */
export function createDisruptionController(scales: ScaleReads["client"]): Controller {
  return defineController(PodDisruptionBudget, {
    name: "disruption-controller",
    watches: [
      watch(Pod, { toKeys: budgetsOf, indexes: [podsByLabel] }),
      watch(Deployment),
      watch(ReplicaSet),
      watch(ReplicationController),
      watch(StatefulSet),
    ],
    async reconcile(budget, { cache, client, clock, event, signal }) {
      const pods = podsOf(budget, cache);
      if (pods.length === 0) event("Normal", "NoPods", "No matching pods found");
      const expectation = await expectedPods(budget, pods, { cache, client: scales, signal });
      if (expectation.type === "Failure") {
        event("Warning", "CalculateExpectedPodCountFailed", `Failed to calculate the number of expected pods: ${expectation.message}`);
      } else if (expectation.hasUnmanaged) event("Warning", "UnmanagedPods", unmanaged(budget));
      const nowMs = clock.now();
      const { status, nextMs } = statusOf(budget, pods, expectation, nowMs);
      if (!structuralEqual(status, budget.status)) await client.updateStatus(PodDisruptionBudget, { ...budget, status });
      return nextMs === undefined ? undefined : recheckAfter(Math.max(1, nextMs - nowMs));
    },
  });
}

/** The kinds whose changes concern it: how many pods a controller wants is read when a pod changes. */
export const disruptionKinds: ConcernedKinds = { own: PodDisruptionBudget, others: [Pod] };

interface Outcome {
  readonly status: PodDisruptionBudgetStatus;
  /** When pods that should have been deleted count again. */
  readonly nextMs: number | undefined;
}

function statusOf(budget: PodDisruptionBudget, pods: readonly Pod[], expectation: Expectation, nowMs: number): Outcome {
  const { status: before = {}, metadata } = budget;
  if (expectation.type === "Failure") {
    const failed = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: expectation.message } as const;
    const observed = before.observedGeneration === undefined ? {} : { observedGeneration: before.observedGeneration };
    const conditions = setCondition(before.conditions ?? [], { ...failed, ...observed }, { now: () => nowMs });
    const counts = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    return { status: { ...counts, ...before, disruptionsAllowed: 0, conditions }, nextMs: undefined };
  }
  const disrupted = disruptedPods(before, pods, nowMs);
  const healthy = pods.filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name] === undefined && isPodReady(pod),
  );
  const allowed = expectation.expected <= 0 ? 0 : Math.max(0, healthy.length - expectation.desired);
  const { generation = 0 } = metadata;
  const ends = Object.values(disrupted).map((time) => parseTime(time) + deletionTimeoutMs);
  return {
    status: {
      ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
      disruptionsAllowed: allowed,
      currentHealthy: healthy.length,
      desiredHealthy: expectation.desired,
      expectedPods: expectation.expected,
      observedGeneration: generation,
      conditions: setCondition(
        before.conditions ?? [],
        {
          type: "DisruptionAllowed",
          status: allowed > 0 ? "True" : "False",
          reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
          message: "",
          observedGeneration: generation,
        },
        { now: () => nowMs },
      ),
    },
    nextMs: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

/** The pods whose eviction was allowed a short time ago and whose deletion has not begun. */
function disruptedPods(
  { disruptedPods: before = {} }: PodDisruptionBudgetStatus,
  pods: readonly Pod[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name);
  return Object.fromEntries(
    Object.entries(before).filter(([name, time]) => staying.includes(name) && parseTime(time) + deletionTimeoutMs > nowMs),
  );
}

function unmanaged({ spec }: PodDisruptionBudget): string {
  return `Pods selected by this PodDisruptionBudget (selector: ${labelSelectorText(spec?.selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
}
