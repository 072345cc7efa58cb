import { findCondition, formatTime, isConditionTrue, isReason, parseMicroTime } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { fieldIndex } from "@kaji/informer";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Lease } from "@kaji/types/coordination/v1";
import { Node, Pod } from "@kaji/types/core/v1";
import type { NodeCondition } from "@kaji/types/core/v1";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { isPodReady } from "../pods/pod-state.ts";
import { saidTimeMs } from "../said-time.ts";
import { taintsToSet } from "./node-taints.ts";

/** Where nodes renew their leases. */
const leaseNamespace = "kube-node-lease";

/** How long a node may send no heartbeat, as in kube-controller-manager. */
const usualGraceMs = 50_000;
/** How many times the length of its lease that is. */
const leasesOfGrace = 1.25;

const byNode = fieldIndex(Pod, "spec.nodeName");

/** Sees which nodes are alive, taints those where pods should not be, and says of pods of which nobody can know whether they serve that they do not. */
export const nodeLifecycleController: Controller = defineController(Node, {
  name: "node-lifecycle-controller",
  watches: [
    watch(Lease, { namespaces: [leaseNamespace], toKeys: () => [] }),
    watch(Pod, { indexes: [byNode], verbs: ["update/status"], toKeys: () => [] }),
  ],
  selfVerbs: ["patch"],
  async reconcile(node, { cache, client, clock, event }) {
    const { name } = node.metadata;
    const lease = cache.get(Lease, { namespace: leaseNamespace, name });
    const silentMs = clock.now() - lastSignMs(node, lease);
    const graceMs = graceOf(lease);
    const unknown = silentMs > graceMs ? unknownConditions(node, clock) : undefined;
    const current =
      unknown === undefined ? node : await client.updateStatus(Node, { ...node, status: { ...node.status, conditions: unknown } });
    const wasReady = isConditionTrue(node.status?.conditions, "Ready");
    if (unknown !== undefined && wasReady) event("Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
    // What is written here asks for no other reconcile, so that the taints follow from the new conditions at once.
    const taints = taintsToSet(current, formatTime(clock.now()));
    if (taints !== undefined)
      await client.mergePatch(Node, { name }, { metadata: { resourceVersion: current.metadata.resourceVersion ?? "" }, spec: { taints } });
    // Whatever a kubelet says of its pods after this holds: they are looked at only when their node changes.
    const isSilent = findCondition(current.status?.conditions, "Ready")?.status === "Unknown";
    for (const pod of isSilent ? cache.by(Pod, byNode, name).filter(isPodReady) : []) {
      try {
        await client.updateStatus(Pod, unreadyPod(pod, clock));
        event("Warning", "NodeNotReady", "Node is not ready", { about: pod });
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
      }
    }
    // A node that is silent already is reconciled again when its kubelet writes to it.
    return silentMs > graceMs ? undefined : recheckAfter(graceMs - silentMs + 1);
  },
});

/** The kinds whose changes concern it: what becomes of a pod says nothing of its node. */
export const nodeLifecycleKinds: ConcernedKinds = { own: Node, others: [Lease] };

function unreadyPod(pod: Pod, clock: Clock): Pod {
  const unready = { status: "False", lastTransitionTime: formatTime(clock.now()) } as const;
  const conditions = (pod.status?.conditions ?? []).map((each) => (each.type === "Ready" ? { ...each, ...unready } : each));
  return { ...pod, status: { ...pod.status, conditions } };
}

/** How long a node may send no heartbeat: longer where it has said that one is good for longer. */
function graceOf(lease: Lease | undefined): number {
  return Math.max(usualGraceMs, leasesOfGrace * 1000 * (lease?.spec?.leaseDurationSeconds ?? 0));
}

/** The time of the node's last heartbeat, in its lease or its conditions; its creation if it has sent none. */
function lastSignMs({ metadata, status }: Node, lease: Lease | undefined): number {
  const renewed = lease?.spec?.renewTime === undefined ? 0 : parseMicroTime(lease.spec.renewTime);
  const beats = (status?.conditions ?? []).map(({ lastHeartbeatTime }) => saidTimeMs(lastHeartbeatTime) ?? 0);
  const born = saidTimeMs(metadata.creationTimestamp) ?? 0;
  return Math.max(born, renewed, ...beats);
}

/** The conditions of a node that sends no heartbeat; undefined if it has them already. */
function unknownConditions({ status }: Node, clock: Clock): readonly NodeCondition[] | undefined {
  const now = formatTime(clock.now());
  const present = status?.conditions ?? [];
  const types = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];
  if (types.every((type) => present.find((each) => each.type === type)?.status === "Unknown")) return undefined;
  const others = present.filter(({ type }) => !types.includes(type));
  const unknown = types.map((type): NodeCondition => {
    const before = present.find((each) => each.type === type);
    if (before?.status === "Unknown") return before;
    const [reason, message] =
      before === undefined
        ? ["NodeStatusNeverUpdated", "Kubelet never posted node status."]
        : ["NodeStatusUnknown", "Kubelet stopped posting node status."];
    return { ...before, type, status: "Unknown", reason, message, lastTransitionTime: now };
  });
  return [...others, ...unknown];
}
