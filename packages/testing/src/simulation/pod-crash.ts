import { controllerOf, isJsonArray, isJsonObject, jsonOf, objectAt, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { kindOfId, objectId } from "./object-id.ts";
import type { OtherClient } from "./other-client.ts";
import type { WorldState } from "./world-state.ts";

/** The fields by which the status of a workload counts its pods that are ready. */
const readyCounts: ReadonlyMap<string, readonly string[]> = new Map([
  ["Deployment.apps", ["readyReplicas", "availableReplicas"]],
  ["StatefulSet.apps", ["readyReplicas", "availableReplicas"]],
  ["ReplicaSet.apps", ["readyReplicas", "availableReplicas"]],
  ["DaemonSet.apps", ["numberReady", "numberAvailable"]],
]);
/** The conditions that say of a pod or a workload that it serves. */
const readyConditions: ReadonlySet<JsonValue> = new Set(["Ready", "ContainersReady", "Available"]);

/** Whether something runs for an object that can crash. */
export function hasReadyPods(object: DynamicObject): boolean {
  const status = statusOf(object);
  return !structuralEqual(crashed(object, status), status);
}

/** The pods of an object crash: they are not ready, for as long as it takes those who look after them. */
export class PodCrash {
  readonly #other: OtherClient;
  readonly #state: WorldState;
  /** What was said of each object before, by uid. */
  readonly #before = new Map<string, JsonObject>();

  constructor(other: OtherClient, state: WorldState) {
    this.#other = other;
    this.#state = state;
  }

  async strike(object: DynamicObject): Promise<void> {
    const pods = podsOf(object, this.#state);
    for (const each of pods.length === 0 ? [object] : pods) {
      const status = statusOf(each);
      this.#before.set(each.metadata.uid ?? "", status);
      await this.#other.writeStatus(each, crashed(each, status));
    }
  }

  /** Lets those run again that nobody looks after. */
  async recover(): Promise<void> {
    for (const [uid, status] of this.#before) {
      const live = this.#state.withUid(uid);
      if (live !== undefined && structuralEqual(statusOf(live), crashed(live, status))) await this.#other.writeStatus(live, status);
    }
  }
}

/** What is said of a pod or a workload when nothing in it is ready. */
function crashed(object: DynamicObject, status: JsonObject): JsonObject {
  const counts = (readyCounts.get(kindOfId(objectId(object))) ?? []).filter((name) => status[name] !== undefined);
  const { conditions = [] } = status;
  if ((object.kind !== "Pod" && counts.length === 0) || !isJsonArray(conditions)) return status;
  return {
    ...status,
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    ...(conditions.length === 0 ? {} : { conditions: conditions.map(unready) }),
  };
}

function unready(condition: JsonValue): JsonValue {
  return isJsonObject(condition) && readyConditions.has(condition["type"] ?? null) ? { ...condition, status: "False" } : condition;
}

/** The pods that belong to an object, at any depth, and the object itself if it is one. */
function podsOf(object: DynamicObject, state: WorldState): readonly DynamicObject[] {
  const belongs = (each: DynamicObject | undefined): boolean =>
    each !== undefined && (each.metadata.uid === object.metadata.uid || belongs(state.withUid(controllerOf(each)?.uid ?? "")));
  return [...state.objects.values()].filter((each) => kindOfId(objectId(each)) === "Pod" && belongs(each));
}

function statusOf(object: DynamicObject): JsonObject {
  return objectAt(jsonOf(object), "status");
}
