import { conditionsOf, findCondition } from "@kaji/core";
import type { Condition, DynamicObject } from "@kaji/core";
import type { ConditionLine, Health, State } from "../page/live-message.ts";

/** What can be seen of an object's health from itself. What is wrong or missing wins over what is well. */
export function healthOf(object: DynamicObject): Health {
  if (object.metadata.deletionTimestamp !== undefined) return { state: "Waiting", why: "is being deleted" };
  const status = record(object["status"]);
  const conditions = conditionsOf(status["conditions"]);
  const replicas = ofReplicas(object, status);
  const trouble = ofContainers(status) ?? ofGeneration(object, status) ?? ofTrouble(conditions);
  if (trouble !== undefined) return trouble;
  if (replicas?.state === "Waiting") return replicas;
  return ofReadiness(conditions) ?? replicas ?? ofPhase(status) ?? { state: "Quiet", why: "" };
}

/** The conditions of an object, each with whether it is as one would wish. */
export function conditionLines(object: DynamicObject): readonly ConditionLine[] {
  return conditionsOf(record(object["status"])["conditions"]).map((condition) => {
    // What a status has there need not be what it should.
    const { type, status, reason, message, lastTransitionTime } = record(condition);
    const why = textOf(reason);
    const since = typeof lastTransitionTime === "string" ? lastTransitionTime : undefined;
    return { type: textOf(type), status: textOf(status), reason: why, message: textOf(message), since, state: stateOf(condition), why };
  });
}

/** The conditions that say whether an object is ready, the most telling first. */
const readiness = ["Ready", "Available", "Complete", "Established", "Healthy"] as const;

/** Conditions that are bad news when they are true. */
const troubles: ReadonlySet<string> = new Set(["Failed", "Stalled", "Degraded", "ReplicaFailure", "NamesNotAccepted"]);

function ofTrouble(conditions: readonly Condition[]): Health | undefined {
  const trouble = conditions.find(({ type, status }) => troubles.has(type) && status === "True");
  return trouble === undefined ? undefined : { state: "Bad", why: wordOf(trouble) };
}

function ofReadiness(conditions: readonly Condition[]): Health | undefined {
  const telling = readiness.map((type) => findCondition(conditions, type)).find((condition) => condition !== undefined);
  if (telling === undefined) return undefined;
  if (telling.status === "True") return { state: "Good", why: telling.type };
  return { state: "Waiting", why: wordOf(telling) };
}

/** A status that is about an earlier spec says nothing yet. */
function ofGeneration({ metadata }: DynamicObject, { observedGeneration }: Readonly<Record<string, unknown>>): Health | undefined {
  if (typeof observedGeneration !== "number" || observedGeneration >= (metadata.generation ?? 0)) return undefined;
  return { state: "Waiting", why: "has changed, and its controller has not seen it yet" };
}

/** Why a container cannot start is what one wants to know of a Pod before all else. */
function ofContainers({ phase, initContainerStatuses, containerStatuses }: Readonly<Record<string, unknown>>): Health | undefined {
  if (phase === "Succeeded") return { state: "Good", why: "Succeeded" };
  if (phase === "Failed") return { state: "Bad", why: "Failed" };
  for (const container of [initContainerStatuses, containerStatuses].filter(Array.isArray).flat()) {
    const { reason } = record(record(record(container)["state"])["waiting"]);
    if (typeof reason === "string" && /BackOff|Err|Invalid/.test(reason)) return { state: "Bad", why: reason };
  }
  return undefined;
}

function ofReplicas({ spec }: DynamicObject, status: Readonly<Record<string, unknown>>): Health | undefined {
  const wanted = status["desiredNumberScheduled"] ?? record(spec)["replicas"];
  const ready = status["numberReady"] ?? status["readyReplicas"] ?? (status["replicas"] === undefined ? undefined : 0);
  if (typeof wanted !== "number" || typeof ready !== "number") return undefined;
  return { state: ready >= wanted ? "Good" : "Waiting", why: `${ready} of ${wanted} ready` };
}

const phases: ReadonlyMap<unknown, State> = new Map<unknown, State>([
  ["Active", "Good"],
  ["Available", "Good"],
  ["Bound", "Good"],
  ["Pending", "Waiting"],
  ["Ready", "Good"],
  ["Running", "Good"],
  ["Terminating", "Waiting"],
  ["Lost", "Bad"],
]);

function ofPhase({ phase }: Readonly<Record<string, unknown>>): Health | undefined {
  const state = phases.get(phase);
  return state === undefined ? undefined : { state, why: String(phase) };
}

function stateOf({ type, status }: Condition): State {
  if (troubles.has(type)) return status === "True" ? "Bad" : "Quiet";
  // Pressures and the like are good when they are false; of most others nobody can tell what is better.
  if (!readiness.some((each) => each === type) && !/Ready|Available|Scheduled|Initialized|Synced|Progressing|Accepted/.test(type))
    return "Quiet";
  return status === "True" ? "Good" : "Waiting";
}

function wordOf({ type, status, reason }: Condition): string {
  if (typeof reason === "string" && reason !== "") return reason;
  return status === "True" ? type : `not ${type}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
