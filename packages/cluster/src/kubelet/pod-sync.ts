import { formatTime, parseTime } from "@kaji/core";
import type { Container, ContainerStatus, Pod, PodPhase, PodStatus } from "@kaji/types/core/v1";
import { stepContainer, stopContainer, waitingStatus } from "./container-step.ts";
import type { PodStep } from "./container-step.ts";
import { allocatedPod, stepResize, withoutResize } from "./in-place-resize.ts";
import type { Resize } from "./in-place-resize.ts";
import type { Rejection } from "./pod-admission.ts";
import { podConditions } from "./pod-conditions.ts";
import { podPhase } from "./pod-phase.ts";
import type { PodNote, PodRuntime, StopOrder } from "./pod-runtime.ts";
import type { MissingReferences } from "./missing-references.ts";
import { isSidecar, shouldRestart } from "./restart-policy.ts";

/** What a pod finds on its node. */
export interface PodHost {
  readonly nowMs: number;
  readonly runtime: PodRuntime;
  readonly references: MissingReferences;
  readonly hostIp: string;
  /** Why the node cannot give a pod what it asks for; undefined if it can. */
  readonly whyNoRoom: (pod: Pod) => Rejection | undefined;
  /** Why a pod cannot have its volumes for itself; undefined if it can, and from then on has them. */
  readonly whyInUse: (pod: Pod) => string | undefined;
  /** An address for a pod that has none. */
  readonly newPodIp: () => string;
}

/** One step in the life of a pod. */
export interface PodSync {
  /** What the status should be. */
  readonly status: PodStatus;
  /** When the next step is due if nothing else happens; undefined if none is. */
  readonly wakeAtMs: number | undefined;
  readonly notes: readonly PodNote[];
  /** Whether no container of the pod runs. */
  readonly isStopped: boolean;
}

/**
 * Takes a pod one step on in its life. The result follows from the pod's status and the state of its containers alone, so a kubelet that writes the status and
 * calls again reaches the end, even if it is restarted in between.
 */
export function syncPod(asked: Pod, host: PodHost): PodSync {
  const { nowMs, runtime, references } = host;
  const resize = resizeOf(asked, host);
  const { pod } = resize;
  const notes: PodNote[] = [...resize.notes];
  let wakeAtMs: number | undefined;
  const step: PodStep = {
    pod,
    nowMs,
    runtime,
    misconfiguration: (container) => references.ofContainer(pod, container),
    wakeAt: (ms) => (wakeAtMs = Math.min(wakeAtMs ?? Infinity, ms)),
    note: (type, reason, message) => notes.push({ type, reason, message }),
  };
  const life = nextOf(step, host);
  const ephemeral = ephemeralOf(step, life);
  const statuses = new Map([...life.init, ...life.main].map((status) => [status.name, status]));
  const phase = life.phase ?? podPhase(pod, statuses, life.isEnding);
  const isStopped = ![...statuses.values(), ...ephemeral].some(isRunning);
  const status = statusOf({ ...pod, status: { ...pod.status, conditions: resize.conditions } }, host, life, phase, statuses);
  return {
    status: ephemeral.length === 0 ? status : { ...status, ephemeralContainerStatuses: ephemeral },
    wakeAtMs,
    notes,
    isStopped,
  };
}

/** A pod that is ending is given nothing else any more. */
function resizeOf(pod: Pod, { nowMs, whyNoRoom }: PodHost): Resize {
  const { conditions = [], phase } = pod.status ?? {};
  if (isOver(phase)) return { pod, conditions: withoutResize(conditions), notes: [] };
  if (pod.metadata.deletionTimestamp !== undefined) return { pod: allocatedPod(pod), conditions, notes: [] };
  return stepResize(pod, nowMs, whyNoRoom);
}

/** Where a pod has come to. */
interface Life {
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
  readonly hasSandbox: boolean;
  /** Whether no container is started any more. */
  readonly isEnding: boolean;
  /** The phase, if it does not follow from the containers. */
  readonly phase?: PodPhase;
  readonly reason?: string;
  readonly message?: string;
}

function nextOf(step: PodStep, host: PodHost): Life {
  const { pod, nowMs } = step;
  const { metadata, spec, status } = pod;
  const before = containersOf(pod);
  const wasSetUp = status?.podIP !== undefined;
  if (metadata.deletionTimestamp !== undefined) {
    const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    const life = stopAll(step, before, { sinceMs: parseTime(metadata.deletionTimestamp) - graceMs, graceMs });
    return { ...life, main: withEnds(life), hasSandbox: wasSetUp, ...(isOver(status?.phase) ? keptPhase(status) : {}) };
  }
  if (isOver(status?.phase)) return { ...stopAll(step, before, { sinceMs: nowMs, graceMs: 0 }), hasSandbox: false, ...keptPhase(status) };
  // The first step only sets the start time, so that watchers see the pod before a container runs.
  if (status?.startTime === undefined) return { ...before, hasSandbox: false, isEnding: false };
  const deadlineMs = parseTime(status.startTime) + (spec?.activeDeadlineSeconds ?? Infinity) * 1000;
  if (nowMs >= deadlineMs) {
    const message = "Pod was active on the node longer than the specified deadline";
    return {
      ...stopAll(step, before, { sinceMs: deadlineMs, graceMs: 0 }),
      hasSandbox: wasSetUp,
      phase: "Failed",
      reason: "DeadlineExceeded",
      message,
    };
  }
  if (deadlineMs !== Infinity) step.wakeAt(deadlineMs);
  const unmountable = wasSetUp ? undefined : (host.references.ofVolumes(pod) ?? host.whyInUse(pod));
  if (unmountable !== undefined) {
    step.note("Warning", "FailedMount", unmountable);
    return { ...before, hasSandbox: false, isEnding: false };
  }
  return { ...runAll(step, before), hasSandbox: true, isEnding: false };
}

function keptPhase(status: PodStatus | undefined): Pick<Life, "phase" | "reason" | "message"> {
  const { phase = "Pending", reason, message } = status ?? {};
  return { phase, ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
}

type Containers = Pick<Life, "init" | "main">;

/** Init containers one after the other, then all others at once; sidecars go when the others have ended for good. */
function runAll(step: PodStep, before: Containers): Containers {
  const { pod } = step;
  const specs = new Map(
    [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].map((container) => [container.name, container]),
  );
  const specOf = ({ name }: ContainerStatus): Container => specs.get(name) ?? { name };
  const isDone = before.main.every((status) => isEndedForGood(pod, specOf(status), status));
  const init: ContainerStatus[] = [];
  let isBlocked = false;
  for (const status of before.init) {
    const container = specOf(status);
    const role = isSidecar(container) ? "Sidecar" : "Init";
    let next = status;
    if (isDone) next = stopContainer(step, container, role, status, { sinceMs: step.nowMs, graceMs: 0 });
    else if (!isBlocked) next = stepContainer(step, container, role, status);
    init.push(next);
    isBlocked ||= role === "Sidecar" ? next.started !== true && !hasBegun(before.main) : !next.ready;
  }
  const main = isBlocked || isDone ? before.main : before.main.map((status) => stepContainer(step, specOf(status), "Main", status));
  return { init, main };
}

/** Containers for a look into a running pod: they run once, and count for nothing. */
function ephemeralOf(step: PodStep, { hasSandbox, isEnding }: Life): readonly ContainerStatus[] {
  const { spec, status } = step.pod;
  const known = new Map((status?.ephemeralContainerStatuses ?? []).map((each) => [each.name, each]));
  return (spec?.ephemeralContainers ?? []).map((container) => {
    const once: Container = { ...container, restartPolicy: "Never" };
    const before = known.get(container.name) ?? waitingStatus(once, "ContainerCreating");
    if (isEnding) return stopContainer(step, once, "Main", before, { sinceMs: step.nowMs, graceMs: 0 });
    return hasSandbox ? stepContainer(step, once, "Main", before) : before;
  });
}

/** Sidecars serve the others to the end: they go after them, the last one first. */
function stopAll(step: PodStep, before: Containers, order: StopOrder): Containers & { readonly isEnding: true } {
  const { initContainers = [], containers = [] } = step.pod.spec ?? {};
  const stop = (list: readonly Container[], role: "Sidecar" | "Main", status: ContainerStatus, when: StopOrder): ContainerStatus => {
    const container = list.find(({ name }) => name === status.name);
    return container === undefined ? status : stopContainer(step, container, role, status, when);
  };
  const main = before.main.map((status) => stop(containers, "Main", status, order));
  const gone: ContainerStatus[] = [...main];
  const init = before.init.toReversed().map((status) => {
    const next = gone.some(isRunning) ? status : stop(initContainers, "Sidecar", status, turnAfter(gone, order));
    gone.push(next);
    return next;
  });
  return { init: init.toReversed(), main, isEnding: true };
}

/** The containers of a pod that is deleted: when nothing runs any more, those that never began are taken to have failed, unless it was not their turn yet. */
function withEnds({ init, main }: Containers): readonly ContainerStatus[] {
  const isTheirTurn = hasBegun(main) || init.length === 0 || init.at(-1)?.state?.terminated?.exitCode === 0;
  if (!isTheirTurn || [...init, ...main].some(isRunning)) return main;
  const message = "The container could not be located when the pod was terminated";
  const terminated = { reason: "ContainerStatusUnknown", message, exitCode: 137 };
  return main.map((status) => (hasBegun([status]) ? status : { ...status, state: { terminated } }));
}

/** What those have at least whose turn comes late. */
const leastGraceMs = 2000;

/** The order for those who go after others: from the end of these on, they have what is left of the time. */
function turnAfter(others: readonly ContainerStatus[], { sinceMs, graceMs }: StopOrder): StopOrder {
  const ends = others.map(({ state }) => state?.terminated?.finishedAt).filter((time) => time !== undefined);
  const turnMs = Math.max(sinceMs, ...ends.map(parseTime));
  return { sinceMs: turnMs, graceMs: Math.max(Math.min(graceMs, leastGraceMs), sinceMs + graceMs - turnMs) };
}

function isRunning({ state }: ContainerStatus): boolean {
  return state?.running !== undefined;
}

/** The statuses of all containers as they were last written, or as they are at the beginning. */
function containersOf({ spec, status }: Pod): Containers {
  const { initContainers = [], containers = [] } = spec ?? {};
  const known = new Map([...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((each) => [each.name, each]));
  const reason = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const statusOf = (container: Container): ContainerStatus => known.get(container.name) ?? waitingStatus(container, reason);
  return { init: initContainers.map(statusOf), main: containers.map(statusOf) };
}

function hasBegun(statuses: readonly ContainerStatus[]): boolean {
  return statuses.some(({ state, lastState }) => state?.waiting === undefined || lastState?.terminated !== undefined);
}

function isEndedForGood(pod: Pod, container: Container, { state }: ContainerStatus): boolean {
  return state?.terminated !== undefined && !shouldRestart(container, pod, state.terminated.exitCode);
}

function isOver(phase: PodPhase | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

function statusOf(pod: Pod, host: PodHost, life: Life, phase: PodPhase, statuses: ReadonlyMap<string, ContainerStatus>): PodStatus {
  const { nowMs, hostIp } = host;
  const { reason: _reason, message: _message, ...before } = pod.status ?? {};
  const podIp = before.podIP ?? (pod.spec?.hostNetwork === true ? hostIp : life.hasSandbox ? host.newPodIp() : undefined);
  const { generation } = pod.metadata;
  const why = life.phase === undefined && phase === pod.status?.phase ? keptPhase(pod.status) : life;
  return {
    ...before,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    ...(why.reason === undefined ? {} : { reason: why.reason }),
    ...(why.message === undefined ? {} : { message: why.message }),
    conditions: podConditions({ pod, phase, statuses, hasSandbox: life.hasSandbox && !isOver(phase), nowMs }),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(podIp === undefined ? {} : { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime: before.startTime ?? formatTime(nowMs),
    ...(life.init.length === 0 ? {} : { initContainerStatuses: life.init }),
    containerStatuses: life.main,
  };
}
