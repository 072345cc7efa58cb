import type { DynamicObject, JsonObject } from "@kaji/core";
import { booleanField, numberField, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { hasTrueCondition } from "../true-condition.ts";

/** A pod in a few words, as `kubectl get` has it. */
export interface PodSummary {
  readonly ready: number;
  /** Containers that are to run together: ordinary ones, and init containers that go on running. */
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container last ended that was started again since. */
  readonly lastRestart: string | undefined;
}

/** Sums up what the containers of a pod are doing. */
export function podSummary(pod: DynamicObject): PodSummary {
  const [spec, status] = [objectField(pod, "spec"), objectField(pod, "status")];
  const sidecars = new Set(objectsField(spec, "initContainers").filter(isSidecar).map(nameOf));
  const init = initProgress(spec, status, sidecars);
  const isInitialized = init.reason === undefined || hasTrueCondition(status, "Initialized");
  const running = isInitialized ? runningProgress(status, init.reason ?? overallReason(status)) : undefined;
  const initStatuses = objectsField(status, "initContainerStatuses");
  const counted =
    running === undefined
      ? initStatuses.slice(0, init.seen)
      : [...initStatuses.slice(0, init.seen).filter((each) => sidecars.has(nameOf(each))), ...objectsField(status, "containerStatuses")];
  return {
    ready: init.ready + (running?.ready ?? 0),
    total: objectsField(spec, "containers").length + sidecars.size,
    reason: endingReason(pod, status) ?? running?.reason ?? init.reason ?? overallReason(status),
    restarts: counted.reduce((sum, each) => sum + (numberField(each, "restartCount") ?? 0), 0),
    lastRestart: counted
      .map(lastEnd)
      .filter((time) => time !== "")
      .toSorted()
      .at(-1),
  };
}

function overallReason(status: JsonObject): string {
  const isGated = objectsField(status, "conditions").some(
    (condition) => stringField(condition, "type") === "PodScheduled" && stringField(condition, "reason") === "SchedulingGated",
  );
  return isGated ? "SchedulingGated" : stringField(status, "reason") || stringField(status, "phase");
}

/** How far the init containers are: those seen up to the one that has not ended well, why that has not, and sidecars that are ready. */
interface InitProgress {
  readonly seen: number;
  readonly reason: string | undefined;
  readonly ready: number;
}

function initProgress(spec: JsonObject, status: JsonObject, sidecars: ReadonlySet<string>): InitProgress {
  const total = objectsField(spec, "initContainers").length;
  const statuses = objectsField(status, "initContainerStatuses");
  let ready = 0;
  for (const [index, container] of statuses.entries()) {
    const state = objectField(container, "state");
    const [ended, waiting] = [optionalObject(state, "terminated"), optionalObject(state, "waiting")];
    if (ended !== undefined && (numberField(ended, "exitCode") ?? 0) === 0) continue;
    if (sidecars.has(nameOf(container)) && booleanField(container, "started")) {
      if (booleanField(container, "ready")) ready++;
      continue;
    }
    const waitingReason = stringField(waiting, "reason");
    const isWaiting = waitingReason !== "" && waitingReason !== "PodInitializing";
    const why = ended !== undefined ? endReason(ended) : isWaiting ? waitingReason : `${index}/${total}`;
    return { seen: index + 1, reason: `Init:${why}`, ready };
  }
  return { seen: statuses.length, reason: undefined, ready };
}

interface RunningProgress {
  readonly reason: string;
  readonly ready: number;
}

function runningProgress(status: JsonObject, before: string): RunningProgress {
  let [reason, errorReason, ready] = [before, "", 0];
  for (const container of objectsField(status, "containerStatuses").toReversed()) {
    const state = objectField(container, "state");
    const ended = optionalObject(state, "terminated");
    const waiting = stringField(optionalObject(state, "waiting"), "reason");
    if (waiting !== "") reason = waiting;
    else if (ended !== undefined) {
      reason = endReason(ended);
      if ((numberField(ended, "exitCode") ?? 0) !== 0) errorReason = reason;
    } else if (booleanField(container, "ready") && optionalObject(state, "running") !== undefined) ready++;
  }
  if (reason !== "Completed") return { reason, ready };
  if (ready > 0 && hasTrueCondition(status, "Ready")) return { reason: "Running", ready };
  return { reason: errorReason || (ready > 0 ? "NotReady" : reason), ready };
}

function endingReason({ metadata }: DynamicObject, status: JsonObject): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (stringField(status, "reason") === "NodeLost") return "Unknown";
  return ["Failed", "Succeeded"].includes(stringField(status, "phase")) ? undefined : "Terminating";
}

function endReason(ended: JsonObject): string {
  const signal = numberField(ended, "signal") ?? 0;
  return stringField(ended, "reason") || (signal === 0 ? `ExitCode:${numberField(ended, "exitCode") ?? 0}` : `Signal:${signal}`);
}

function lastEnd(container: JsonObject): string {
  return stringField(optionalObject(optionalObject(container, "lastState"), "terminated"), "finishedAt");
}

function isSidecar(container: JsonObject): boolean {
  return stringField(container, "restartPolicy") === "Always";
}

function nameOf(object: JsonObject): string {
  return stringField(object, "name");
}
