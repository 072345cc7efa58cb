import { formatTime, parseTime } from "@kaji/core";
import { defineController, recheckAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";
import type { PodCondition } from "@kaji/types/core/v1";
import { hasPodEnded } from "../pods/pod-state.ts";

/** How long after the condition `DisruptionTarget` is set the deletion of the pod should have begun. */
const patienceMs = 120_000;

/** Resets the condition `DisruptionTarget` of pods that were then not deleted. */
export const staleDisruptionController: Controller = defineController(Pod, {
  name: "disruption-controller",
  predicates: [({ object }) => object !== undefined && targetCondition(object) !== undefined],
  async reconcile(pod, { client, clock }) {
    const target = targetCondition(pod);
    if (target === undefined) return;
    const leftMs = parseTime(target.lastTransitionTime ?? "1970-01-01T00:00:00Z") + patienceMs - clock.now();
    if (leftMs > 0) return recheckAfter(leftMs);
    const { observedGeneration } = target;
    const next: PodCondition = {
      type: target.type,
      status: "False",
      lastTransitionTime: formatTime(clock.now()),
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    };
    const conditions = (pod.status?.conditions ?? []).map((condition) => (condition.type === next.type ? next : condition));
    await client.updateStatus(Pod, { ...pod, status: { ...pod.status, conditions } });
  },
});

/** The condition `DisruptionTarget`, if the pod is not being deleted; one that a kubelet set is left to the kubelet. */
function targetCondition(pod: Pod): PodCondition | undefined {
  if (pod.metadata.deletionTimestamp !== undefined || hasPodEnded(pod)) return undefined;
  return pod.status?.conditions?.find(
    ({ type, status, reason }) => type === "DisruptionTarget" && status === "True" && reason !== "TerminationByKubelet",
  );
}
