import { formatTime, jsonOf, resourcePath } from "@kaji/core";
import type { DynamicObject, JsonObject, KubeObject, Resource } from "@kaji/core";
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { kindOfId } from "../object-id.ts";
import { patchStatus } from "../patch-status.ts";
import type { Actor, Stage } from "./actor.ts";
import { revisionsOf } from "./stateful-revisions.ts";
import type { StatefulRevisions } from "./stateful-revisions.ts";

const stepMs = 20;

const rollouts: ReadonlyMap<string, Resource<DynamicObject>> = new Map<string, Resource<DynamicObject>>([
  ["Deployment.apps", asDynamic(Deployment)],
  ["StatefulSet.apps", asDynamic(StatefulSet)],
  ["ReplicaSet.apps", asDynamic(ReplicaSet)],
  ["DaemonSet.apps", asDynamic(DaemonSet)],
]);

/**
 * Lets workloads, pods and claims come to what is wanted, in steps that an operator can see, without the pods behind workloads.
 * What depends on those takes the controllers of a cluster.
 */
export const workloads: Actor = {
  name: "workloads",
  react(change, stage) {
    const { type, object, id } = change;
    const rollout = rollouts.get(kindOfId(id));
    if (rollout === undefined) {
      pods.react(change, stage);
    } else if (type !== "Deleted" && !isRolledOut(object)) {
      again(object, stage, async (live) => {
        if (isRolledOut(live)) return;
        await patchStatus(stage.client, rollout, live, nextRollout(live, stage));
      });
    }
  },
};

/** Lets pods run and claims be bound, and lets them go when they are to go; workloads are left to their controllers, and pods of another scheduler wait for that one. */
export const pods: Actor = {
  name: "pods",
  react({ type, object, id }, stage) {
    if (type === "Deleted") return;
    const kind = kindOfId(id);
    if (kind === "Pod" && object.metadata.deletionTimestamp !== undefined) {
      again(object, stage, async (live) => {
        if (live.metadata.deletionTimestamp !== undefined) await stage.client.delete(Pod, live.metadata, { gracePeriodSeconds: 0 });
      });
    } else if (kind === "Pod" && field(object, "spec", "nodeName") === undefined) {
      // A pod that is on a node takes its time to go.
      if (hasDefaultScheduler(object)) again(object, stage, (live) => bind(stage, live));
    } else if (kind === "Pod" && (field(object, "status", "phase") ?? "Pending") === "Pending") {
      again(object, stage, (live) => patchStatus(stage.client, Pod, live, runningPod(stage)));
    } else if (kind === "PersistentVolumeClaim" && object.metadata.deletionTimestamp !== undefined) {
      again(object, stage, (live) => stage.client.mergePatch(PersistentVolumeClaim, live.metadata, { metadata: { finalizers: [] } }));
    } else if (kind === "PersistentVolumeClaim" && !hasWhatItAsksFor(object)) {
      again(object, stage, (live) =>
        patchStatus(stage.client, PersistentVolumeClaim, live, { phase: "Bound", capacity: requestsOf(live) }),
      );
    }
  },
};

/** Does the next thing with an object after a while, as it is then. */
function again({ metadata }: DynamicObject, { later, state }: Stage, next: (live: DynamicObject) => Promise<unknown>): void {
  const { uid = "" } = metadata;
  later(uid, stepMs, async () => {
    const live = state.withUid(uid);
    if (live !== undefined) await next(live);
  });
}

/** How far a workload is on its way to what is wanted. */
interface Progress {
  readonly wanted: number;
  readonly present: number;
  readonly ready: number;
  /** How many are of the present template, which a ReplicaSet does not say. */
  readonly updated: number;
  readonly isSeen: boolean;
  /** Of a StatefulSet. */
  readonly revisions: StatefulRevisions | undefined;
}

function progressOf(object: DynamicObject): Progress {
  const { generation = 1 } = object.metadata;
  const count = (name: string): number => Number(field(object, "status", name) ?? 0);
  const isDaemonSet = object.kind === "DaemonSet";
  return {
    // There is one node for a DaemonSet.
    wanted: Number(field(object, "spec", "replicas") ?? 1),
    present: count(isDaemonSet ? "desiredNumberScheduled" : "replicas"),
    ready: count(isDaemonSet ? "numberReady" : "readyReplicas"),
    updated: count(isDaemonSet ? "updatedNumberScheduled" : object.kind === "ReplicaSet" ? "readyReplicas" : "updatedReplicas"),
    isSeen: field(object, "status", "observedGeneration") === generation,
    revisions: isStatefulSet(object) ? revisionsOf(object) : undefined,
  };
}

function isRolledOut(object: DynamicObject): boolean {
  const { wanted, ready, updated, isSeen, revisions } = progressOf(object);
  return isSeen && ready === wanted && updated === (revisions?.updatable ?? wanted);
}

/** The next status on the way: first the generation is seen and what changed is not ready, then all is. */
function nextRollout(object: DynamicObject, { clock }: Stage): JsonObject {
  const { wanted, present, ready, isSeen, revisions } = progressOf(object);
  const { generation = 1 } = object.metadata;
  const now = isSeen ? wanted : Math.min(ready, wanted);
  const counts = { observedGeneration: generation, replicas: wanted, readyReplicas: now, availableReplicas: now };
  if (revisions !== undefined) return { ...counts, ...revisions.statusWith(isSeen ? revisions.updatable : revisions.updated, now) };
  if (object.kind === "ReplicaSet") return counts;
  // Where as many are wanted as there were, the template has changed: those of the one before serve until those of the new one are ready.
  const updated = !isSeen && present === wanted ? 0 : now;
  if (object.kind === "DaemonSet") return daemonStatus({ generation, wanted, now, updated });
  const isAvailable = now === wanted;
  const condition = {
    type: "Available",
    status: isAvailable ? "True" : "False",
    reason: isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: "",
    lastTransitionTime: formatTime(clock.now()),
    lastUpdateTime: formatTime(clock.now()),
  };
  return { ...counts, updatedReplicas: updated, conditions: [condition] };
}

function daemonStatus({
  generation,
  wanted,
  now,
  updated,
}: Readonly<Record<"generation" | "now" | "updated" | "wanted", number>>): JsonObject {
  return {
    observedGeneration: generation,
    desiredNumberScheduled: wanted,
    currentNumberScheduled: wanted,
    numberMisscheduled: 0,
    numberReady: now,
    numberAvailable: now,
    updatedNumberScheduled: updated,
  };
}

function hasWhatItAsksFor(claim: DynamicObject): boolean {
  return field(claim, "status", "phase") === "Bound" && field(claim, "status", "capacity", "storage") === requestsOf(claim)["storage"];
}

function requestsOf(claim: DynamicObject): JsonObject {
  const requests = field(claim, "spec", "resources", "requests");
  return typeof requests === "object" && requests !== null ? jsonOf(requests) : {};
}

function hasDefaultScheduler(pod: DynamicObject): boolean {
  return field(pod, "spec", "schedulerName") === "default-scheduler";
}

function bind({ client }: Stage, { metadata }: DynamicObject): Promise<unknown> {
  const { name, namespace } = metadata;
  const path = resourcePath(Pod, { namespace, name, subresource: "binding" });
  const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
  return client.api.json({ method: "POST", path, body: { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target } });
}

function runningPod({ clock }: Stage): JsonObject {
  return { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: formatTime(clock.now()) }] };
}

function field(object: object, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined), object);
}

function isStatefulSet(object: KubeObject): object is StatefulSet {
  return object.kind === "StatefulSet";
}

function asDynamic(kind: Resource): Resource<DynamicObject> {
  // The type of a resource's objects stands nowhere in its value.
  return kind as Resource<DynamicObject>;
}
