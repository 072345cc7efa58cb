import { isConditionTrue, objectKey } from "@kaji/core";
import { fieldIndex } from "@kaji/informer";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller, ObjectChange } from "@kaji/runtime";
import { Node, Pod } from "@kaji/types/core/v1";
import { disruptedConditions } from "../pods/disruption-target.ts";
import { hasPodEnded } from "../pods/pod-state.ts";

const byNode = fieldIndex(Pod, "spec.nodeName");
const outOfService = "node.kubernetes.io/out-of-service";

/** How long a node may be missing before its pods are deleted: it may be registered again under its name. */
const quarantineMs = 40_000;

/** Makes a controller that deletes pods which no kubelet will: their node is gone or out of service, or they never had one. */
export function createPodGarbageCollector(): Controller {
  /** Since when nodes that have pods are known to be missing, by their names. */
  const missingSince = new Map<string, number>();
  return defineController(Pod, {
    name: "pod-garbage-collector-controller",
    indexes: [byNode],
    predicates: [isElsewhere],
    watches: [
      watch(Node, { toKeys: (node, reads) => reads.by(Pod, byNode, node.metadata.name).map(({ metadata }) => objectKey(metadata)) }),
    ],
    selfVerbs: ["delete"],
    async reconcile(pod, { cache, client, clock, live }) {
      const { nodeName = "" } = pod.spec ?? {};
      const isGoing = pod.metadata.deletionTimestamp !== undefined;
      const node = nodeName === "" ? undefined : cache.get(Node, { name: nodeName });
      let { conditions } = pod.status ?? {};
      if (nodeName !== "" && node === undefined) {
        const sinceMs = missingSince.get(nodeName) ?? clock.now();
        missingSince.set(nodeName, sinceMs);
        if (clock.now() < sinceMs + quarantineMs) return recheckAfter(sinceMs + quarantineMs - clock.now());
        if ((await live.get(Node, { name: nodeName })) !== undefined) return;
        conditions = disruptedConditions(pod, { reason: "DeletionByPodGC", message: "PodGC: node no longer exists" }, clock.now());
      } else {
        missingSince.delete(nodeName);
        if (!isGoing || (node !== undefined && !isOutOfService(node))) return;
      }
      if (!hasPodEnded(pod)) {
        const status = { ...pod.status, phase: "Failed", ...(conditions === undefined ? {} : { conditions }) } as const;
        await client.updateStatus(Pod, { ...pod, status });
      }
      await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
      // Of a node without pods nothing need be known.
      if (cache.by(Pod, byNode, nodeName).every(({ metadata }) => metadata.uid === pod.metadata.uid)) missingSince.delete(nodeName);
    },
  });
}

/** Whether a pod is new, on another node, or now to go. */
function isElsewhere({ object, previous }: ObjectChange<Pod>): boolean {
  return (
    object?.spec?.nodeName !== previous?.spec?.nodeName ||
    object?.metadata.deletionTimestamp !== previous?.metadata.deletionTimestamp ||
    previous === undefined
  );
}

function isOutOfService({ spec, status }: Node): boolean {
  return !isConditionTrue(status?.conditions, "Ready") && (spec?.taints ?? []).some(({ key }) => key === outOfService);
}
