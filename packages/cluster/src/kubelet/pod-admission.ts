import type { Node, Pod, PodStatus } from "@kaji/types/core/v1";
import { NodeInfo } from "../scheduler/node-info.ts";
import { placedPod } from "../scheduler/placed-pod.ts";
import { podInfo } from "../scheduler/pod-info.ts";
import type { PodInfo } from "../scheduler/pod-info.ts";
import { untoleratedTaint } from "../scheduler/toleration.ts";

/** Why a node rejects a pod. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/**
 * Why a node rejects a pod that was bound to it; undefined if it accepts it. The scheduler checks all of this, but not for pods whose user set
 * `spec.nodeName`. Only the first reason is reported.
 */
export function whyRejected(pod: Pod, node: Node, others: Iterable<Pod>): Rejection | undefined {
  const info = new NodeInfo(node);
  for (const other of others) info.add(placedPod(other));
  const wanted = podInfo(pod);
  const untolerated = untoleratedTaint(
    info.repellingTaints.filter(({ effect }) => effect === "NoExecute"),
    wanted.tolerations,
  );
  return (
    outOf(wanted, info) ??
    (wanted.requiredNodes?.(node) === false ? predicate("NodeAffinity", "node(s) didn't match Pod's node affinity/selector") : undefined) ??
    (wanted.hostPorts.some((port) => info.ports.has(port))
      ? predicate("NodePorts", "node(s) didn't have free ports for the requested pod ports")
      : undefined) ??
    (untolerated === undefined ? undefined : predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate"))
  );
}

/** The status of a pod that its node rejected. */
export function rejectedStatus({ status }: Pod, { reason, message }: Rejection): PodStatus {
  const kept = status?.qosClass === undefined ? {} : { qosClass: status.qosClass };
  return { ...kept, phase: "Failed", reason, message: `Pod was rejected: ${message}` };
}

/** Resources that the node does not list are not checked. */
function outOf({ requests }: PodInfo, { allocatable, requested, pods }: NodeInfo): Rejection | undefined {
  const places = allocatable.get("pods") ?? 0;
  if (pods.size >= places) return lack("pods", 1, pods.size, places);
  for (const [name, amount] of requests) {
    const capacity = allocatable.get(name);
    const used = requested.get(name) ?? 0;
    if (capacity !== undefined && amount > 0 && amount > capacity - used) return lack(name, amount, used, capacity);
  }
  return undefined;
}

function lack(resource: string, requested: number, used: number, capacity: number): Rejection {
  const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message };
}

function predicate(name: string, why: string): Rejection {
  return { reason: name, message: `Predicate ${name} failed: ${why}` };
}
