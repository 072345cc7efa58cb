import { formatTime, isJsonObject, isReason, resourcePath } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue, Resource } from "@kaji/core";
import { Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import type { Actor, Stage } from "./actor.ts";

const stepMs = 20;

const rollouts: ReadonlyMap<string, Resource<DynamicObject>> = new Map<string, Resource<DynamicObject>>([
  ["Deployment.apps", asDynamic(Deployment)],
  ["StatefulSet.apps", asDynamic(StatefulSet)],
  ["ReplicaSet.apps", asDynamic(ReplicaSet)],
]);

/**
 * Lets workloads, pods and claims come to what is wanted, in steps that an operator can see, without the pods behind workloads.
 * What depends on those takes the controllers of a cluster.
 */
export const workloads: Actor = {
  name: "workloads",
  react({ type, object, id }, stage) {
    const kind = id.split(" ")[0] ?? "";
    const { uid = "" } = object.metadata;
    if (type === "Deleted") return;
    const rollout = rollouts.get(kind);
    const again = (next: (live: DynamicObject) => Promise<unknown>): void => {
      stage.later(uid, stepMs, async () => {
        const live = stage.state.withUid(uid);
        if (live !== undefined) await unlessGone(next(live));
      });
    };
    if (rollout !== undefined && nextRollout(object, stage) !== undefined) {
      again(async (live) => {
        const status = nextRollout(live, stage);
        if (status !== undefined) await stage.client.mergePatch(rollout, live.metadata, { status }, { subresource: "status" });
      });
    } else if (kind === "Pod" && object.metadata.deletionTimestamp !== undefined) {
      again(async (live) => {
        if (live.metadata.deletionTimestamp !== undefined) await stage.client.delete(Pod, live.metadata, { gracePeriodSeconds: 0 });
      });
    } else if (kind === "Pod" && field(object, "spec", "nodeName") === undefined) {
      // A pod that is on a node takes its time to go.
      again((live) => bind(stage, live));
    } else if (kind === "Pod" && field(object, "status", "phase") !== "Running") {
      again((live) => stage.client.mergePatch(Pod, live.metadata, { status: runningPod(stage) }, { subresource: "status" }));
    } else if (kind === "PersistentVolumeClaim" && object.metadata.deletionTimestamp !== undefined) {
      again((live) => stage.client.mergePatch(PersistentVolumeClaim, live.metadata, { metadata: { finalizers: [] } }));
    } else if (kind === "PersistentVolumeClaim" && field(object, "status", "phase") !== "Bound") {
      again((live) =>
        stage.client.mergePatch(PersistentVolumeClaim, live.metadata, { status: { phase: "Bound" } }, { subresource: "status" }),
      );
    }
  },
};

/** The next status on the way: first the generation is seen and what changed is not ready, then all is; undefined when it is there. */
function nextRollout(object: DynamicObject, { clock }: Stage): JsonObject | undefined {
  const wanted = Number(field(object, "spec", "replicas") ?? 1);
  const status = isJsonObject(object["status"] as JsonValue) ? (object["status"] as JsonObject) : {};
  const { generation = 1 } = object.metadata;
  const ready = Number(status["readyReplicas"] ?? 0);
  const isSeen = status["observedGeneration"] === generation;
  if (isSeen && ready === wanted) return undefined;
  const now = isSeen ? wanted : Math.min(ready, wanted);
  const isDone = isSeen;
  const counts = { observedGeneration: generation, replicas: wanted, readyReplicas: now, availableReplicas: now };
  if (object.kind === "ReplicaSet") return counts;
  if (object.kind === "StatefulSet") return { ...counts, updatedReplicas: now, currentReplicas: now };
  const condition = {
    type: "Available",
    status: isDone ? "True" : "False",
    reason: isDone ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: "",
    lastTransitionTime: formatTime(clock.now()),
    lastUpdateTime: formatTime(clock.now()),
  };
  return { ...counts, updatedReplicas: now, conditions: [condition] };
}

function bind({ client }: Stage, { metadata }: DynamicObject): Promise<unknown> {
  const { name, namespace } = metadata;
  const path = resourcePath(Pod, { namespace, name, subresource: "binding" });
  const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
  return client.api.json({ method: "POST", path, body: { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target } });
}

function runningPod({ clock }: Stage): { phase: "Running"; conditions: [{ type: "Ready"; status: "True"; lastTransitionTime: string }] } {
  return { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: formatTime(clock.now()) }] };
}

function field(object: object, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined), object);
}

function asDynamic(kind: Resource): Resource<DynamicObject> {
  // The type of a resource's objects stands nowhere in its value.
  return kind as Resource<DynamicObject>;
}

async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isReason(error, "NotFound", "Conflict")) throw error;
  }
}
