import type { KubeClient, StrategicPatch } from "@kaji/client";
import { formatTime, isReason } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import type { PodCondition } from "@kaji/types/core/v1";

/** What the scheduler says about a pod that it found no node for. */
export interface Verdict {
  readonly message: string;
  /** The node where room is being made; empty if there is none, undefined to leave it as it is. */
  readonly nominatedNode: string | undefined;
  /** Default `Unschedulable`. */
  readonly reason?: "SchedulerError" | "Unschedulable";
}

/** The writes of the scheduler. Each is conditional on the uid of the pod that was looked at, and does nothing if that pod is gone. */
export class PodWrites {
  readonly #client: KubeClient;
  readonly #clock: Clock;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Assigns a pod to a node. Throws if it is gone or assigned already. */
  async bind({ metadata }: Pod, node: string): Promise<void> {
    const { namespace = "", name, uid } = metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
    const body = { apiVersion: "v1", kind: "Binding", metadata: { namespace, name, uid }, target: { kind: "Node", name: node } };
    await this.#client.api.json({ method: "POST", path, body });
  }

  /** Says why a pod waits, and tells whether that is news. */
  async explain(pod: Pod, { message, nominatedNode, reason = "Unschedulable" }: Verdict): Promise<boolean> {
    const { status } = pod;
    const present = status?.conditions?.find(({ type }) => type === "PodScheduled");
    const isNews = present?.status !== "False" || present.message !== message || present.reason !== reason;
    const isNominated = nominatedNode !== undefined && nominatedNode !== (status?.nominatedNodeName ?? "");
    if (!isNews && !isNominated) return false;
    const condition = this.#condition(pod, { type: "PodScheduled", status: "False", reason, message });
    await this.#patchStatus(pod, {
      conditions: [condition],
      ...(isNominated ? { nominatedNodeName: nominatedNode === "" ? null : nominatedNode } : {}),
    });
    return isNews;
  }

  /** Removes the nomination of a pod. */
  async clearNomination(pod: Pod): Promise<void> {
    await this.#patchStatus(pod, { nominatedNodeName: null });
  }

  /** Deletes a pod so that one of higher priority can run. */
  async removeVictim(victim: Pod, schedulerName: string): Promise<void> {
    const message = `${schedulerName}: preempting to accommodate a higher priority pod`;
    const target = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler", message };
    await this.#patchStatus(victim, { conditions: [this.#condition(victim, target)] });
    await ifThere(this.#client.delete(Pod, victim.metadata, { preconditions: { uid: victim.metadata.uid } }));
  }

  /** Tells a provisioner for which node a claim needs its volume. */
  async selectNode({ metadata }: PersistentVolumeClaim, node: string): Promise<void> {
    await this.#client.mergePatch(PersistentVolumeClaim, metadata, {
      metadata: { annotations: { "volume.kubernetes.io/selected-node": node } },
    });
  }

  /** The condition, with the time of its last change. */
  #condition({ metadata, status }: Pod, condition: PodCondition): PodCondition {
    const present = status?.conditions?.find(({ type }) => type === condition.type);
    const { generation } = metadata;
    const kept = present?.status === condition.status ? present.lastTransitionTime : undefined;
    return {
      ...condition,
      lastTransitionTime: kept ?? formatTime(this.#clock.now()),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
  }

  async #patchStatus({ metadata }: Pod, { conditions = [], ...rest }: StatusChange): Promise<void> {
    const status = { ...rest, ...(conditions.length === 0 ? {} : { conditions: conditions.map((condition) => ({ ...condition })) }) };
    const { uid = "" } = metadata;
    const patch: StrategicPatch<Pod> = { metadata: { uid }, status };
    await ifThere(this.#client.strategicPatch(Pod, metadata, patch, { subresource: "status" }));
  }
}

interface StatusChange {
  readonly conditions?: readonly PodCondition[];
  readonly nominatedNodeName?: string | null;
}

/** Ignores that the object is gone, or replaced by another of its name. */
async function ifThere(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isReason(error, "NotFound", "Conflict")) throw error;
  }
}
