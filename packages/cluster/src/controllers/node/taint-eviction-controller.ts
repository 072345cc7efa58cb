import { objectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { fieldIndex } from "@kaji/informer";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller, ObjectChange } from "@kaji/runtime";
import { Node, Pod } from "@kaji/types/core/v1";
import type { Taint } from "@kaji/types/core/v1";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { isTolerated } from "../../scheduler/toleration.ts";
import { disruptedConditions } from "../pods/disruption-target.ts";
import { saidTimeMs } from "../said-time.ts";
import { taintId } from "./node-taints.ts";

const byNode = fieldIndex(Pod, "spec.nodeName");
const eviction = { reason: "DeletionByTaintManager", message: "Taint manager: deleting due to NoExecute taint" };

/** Makes a controller that drives pods off nodes which have a taint for it, when the time is over for which they tolerate it. */
export function createTaintEvictionController(): Controller {
  /** Since when taints are known, by node and then by taint: most do not say it. */
  const known = new Map<string, ReadonlyMap<string, number>>();
  return defineController(Pod, {
    name: "taint-eviction-controller",
    indexes: [byNode],
    watches: [
      watch(Node, { toKeys: (node, reads) => reads.by(Pod, byNode, node.metadata.name).map(({ metadata }) => objectKey(metadata)) }),
    ],
    selfVerbs: ["delete"],
    async reconcile(pod, { cache, client, clock, event }) {
      if (pod.metadata.deletionTimestamp !== undefined || pod.spec?.nodeName === undefined) return;
      const { nodeName } = pod.spec;
      const taints = drivingTaints(cache.get(Node, { name: nodeName }));
      const since = taintTimes(taints, known.get(nodeName), clock.now());
      if (since.size === 0) known.delete(nodeName);
      else known.set(nodeName, since);
      // A pod that comes to a node that has its taints already tolerates them from then on.
      const cameMs = saidTimeMs(pod.status?.startTime ?? pod.metadata.creationTimestamp) ?? 0;
      const ends = taints.map((taint) => Math.max(since.get(taintId(taint)) ?? 0, cameMs) + toleratedMs(taint, pod));
      const leftMs = Math.min(...ends) - clock.now();
      if (leftMs === Infinity) return;
      if (leftMs > 0) return recheckAfter(leftMs);
      const conditions = disruptedConditions(pod, eviction, clock.now());
      const disrupted = await client.updateStatus(Pod, { ...pod, status: { ...pod.status, conditions } });
      event("Normal", "TaintManagerEviction", `Marking for deletion Pod ${objectKey(pod.metadata)}`);
      await client.delete(Pod, disrupted);
    },
  });
}

/** Where no node drives pods off, there is nothing to do for any of them. */
export const taintEvictionKinds: ConcernedKinds = {
  own: Node,
  others: [Pod],
  counts: ({ object }: ObjectChange<Node>) => drivingTaints(object).length > 0,
};

function drivingTaints(node: DeepReadonly<Node> | undefined): readonly DeepReadonly<Taint>[] {
  return (node?.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

/** For how long a pod tolerates a taint. Of several tolerations the first counts; without one a pod does not stay for a moment. */
function toleratedMs(taint: Taint, { spec }: Pod): number {
  const toleration = spec?.tolerations?.find((each) => isTolerated(taint, [each]));
  if (toleration === undefined) return -Infinity;
  return (toleration.tolerationSeconds ?? Infinity) * 1000;
}

/** Since when each taint is there: as it says itself, or since it was first seen. */
function taintTimes(taints: readonly Taint[], before: ReadonlyMap<string, number> | undefined, nowMs: number): ReadonlyMap<string, number> {
  return new Map(taints.map((taint) => [taintId(taint), saidTimeMs(taint.timeAdded) ?? before?.get(taintId(taint)) ?? nowMs]));
}
