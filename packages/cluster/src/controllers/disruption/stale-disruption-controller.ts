import { formatTime, parseTime } from "@kaji/core";
import { defineController, requeueAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";
import type { PodCondition } from "@kaji/types/core/v1";
import { hasPodEnded } from "../pods/pod-state.ts";

/** So long after a pod was said to be about to go it should be going. */
const patienceMs = 120_000;

/** Takes back that a pod is about to go, where it then did not. */
export const staleDisruptionController: Controller = defineController(Pod, {
  name: "disruption-controller",
  predicates: [({ object }) => object !== undefined && targetCondition(object) !== undefined],
  async reconcile(pod, { client, clock }) {
    const target = targetCondition(pod);
    if (target === undefined) return;
    const leftMs = parseTime(target.lastTransitionTime ?? "1970-01-01T00:00:00Z") + patienceMs - clock.now();
    if (leftMs > 0) return requeueAfter(leftMs);
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

/** What says that a pod is about to go, while it is not; a kubelet may take its time. */
function targetCondition(pod: Pod): PodCondition | undefined {
  if (pod.metadata.deletionTimestamp !== undefined || hasPodEnded(pod)) return undefined;
  return pod.status?.conditions?.find(
    ({ type, status, reason }) => type === "DisruptionTarget" && status === "True" && reason !== "TerminationByKubelet",
  );
}
