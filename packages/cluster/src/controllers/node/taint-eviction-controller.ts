import { objectKey, parseTime } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { fieldIndex } from "@kaji/informer";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller, ObjectChange } from "@kaji/runtime";
import { Node, Pod } from "@kaji/types/core/v1";
import type { Taint, Toleration } from "@kaji/types/core/v1";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { isTolerated } from "../../scheduler/toleration.ts";

const byNode = fieldIndex(Pod, "spec.nodeName");

/** Drives pods off nodes that have a taint for it, when the time is over for which they tolerate it. */
export const taintEvictionController: Controller = defineController(Pod, {
  name: "taint-eviction-controller",
  indexes: [byNode],
  watches: [watch(Node, { toKeys: (node, reads) => reads.by(Pod, byNode, node.metadata.name).map(({ metadata }) => objectKey(metadata)) })],
  selfVerbs: ["delete"],
  async reconcile(pod, { cache, client, clock, event }) {
    if (pod.metadata.deletionTimestamp !== undefined || pod.spec?.nodeName === undefined) return;
    const taints = drivingTaints(cache.get(Node, { name: pod.spec.nodeName }));
    const leftMs = Math.min(...taints.map((taint) => toleratedMs(taint, pod.spec?.tolerations ?? [], clock)));
    if (leftMs === Infinity) return;
    if (leftMs > 0) return recheckAfter(leftMs);
    event("Normal", "TaintManagerEviction", `Marking for deletion Pod ${objectKey(pod.metadata)}`);
    await client.delete(Pod, pod);
  },
});

/** Where no node drives pods off, there is nothing to do for any of them. */
export const taintEvictionKinds: ConcernedKinds = {
  own: Node,
  others: [Pod],
  counts: ({ object }: ObjectChange<Node>) => drivingTaints(object).length > 0,
};

function drivingTaints(node: DeepReadonly<Node> | undefined): readonly DeepReadonly<Taint>[] {
  return (node?.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

/** For how long from now a taint is tolerated. */
function toleratedMs(taint: Taint, tolerations: readonly Toleration[], clock: Clock): number {
  const covering = tolerations.filter((toleration) => isTolerated(taint, [toleration]));
  if (covering.length === 0) return 0;
  const seconds = Math.min(...covering.map(({ tolerationSeconds }) => tolerationSeconds ?? Infinity));
  const sinceMs = taint.timeAdded === undefined ? clock.now() : parseTime(taint.timeAdded);
  return Math.max(0, sinceMs + seconds * 1000 - clock.now());
}
