import { findCondition, formatTime, structuralEqual } from "@kaji/core";
import type { Container, ContainerStatus, Pod, PodCondition, ResourceRequirements } from "@kaji/types/core/v1";
import type { Rejection } from "./pod-admission.ts";
import type { PodNote } from "./pod-runtime.ts";

const pending = "PodResizePending";
const inProgress = "PodResizeInProgress";

/** What a pod is given, and how that came about. */
export interface Resize {
  /** The pod as it is to be run: with what it asks for, or where its node has no room for that, with what it has been given before. */
  readonly pod: Pod;
  /** What the pod says of it. */
  readonly conditions: readonly PodCondition[];
  readonly notes: readonly PodNote[];
}

/**
 * Takes the resizing of a pod one step on. What its node has given it stands in its status: what it was promised in `allocatedResources`, what it has in
 * `resources`. First its node sees whether there is room, then the containers are given what they ask for, and then that is told.
 */
export function stepResize(pod: Pod, nowMs: number, whyNoRoom: (pod: Pod) => Rejection | undefined): Resize {
  const given = allocatedPod(pod);
  const lack = given === pod ? undefined : whyNoRoom(pod);
  if (lack !== undefined) return deferred(pod, nowMs, onGoing(given, nowMs), lack);
  return given === pod ? onGoing(pod, nowMs) : begun(pod, nowMs);
}

/** What becomes of a pod that is given all that its node has promised it. */
function onGoing(pod: Pod, nowMs: number): Resize {
  const conditions = withoutResize(pod.status?.conditions ?? []);
  const progress = findCondition(pod.status?.conditions, inProgress);
  const known = knownStatuses(pod);
  const isDone = eachContainer(pod, (container) => hasAll(container, known.get(container.name)));
  if (progress === undefined) return isDone ? { pod, conditions, notes: [] } : begun(pod, nowMs);
  if (!isDone) return { pod, conditions: [...conditions, progress], notes: [] };
  return { pod, conditions, notes: [note("ResizeCompleted", "Pod resize completed", pod, { generation: progress.observedGeneration })] };
}

function begun(pod: Pod, nowMs: number): Resize {
  const conditions = [...withoutResize(pod.status?.conditions ?? []), resizeCondition(pod, nowMs, { type: inProgress })];
  return { pod, conditions, notes: [note("ResizeStarted", "Pod resize started", pod)] };
}

/** Whether a running container is to be given something else now: its pod has said so, and all see it. */
export function isResizing({ status }: Pod, container: Container, known: ContainerStatus): boolean {
  return findCondition(status?.conditions, inProgress) !== undefined && !hasAll(container, known);
}

/** When the pod said that it is being resized. */
export function resizedSince({ status }: Pod): string | undefined {
  return findCondition(status?.conditions, inProgress)?.lastTransitionTime;
}

/** Whether a container must be run again to be given what it asks for. */
export function needsRestart({ resources, resizePolicy = [] }: Container, { resources: has }: ContainerStatus): boolean {
  return resizePolicy.some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === "RestartContainer" &&
      (resources?.requests?.[resourceName] !== has?.requests?.[resourceName] ||
        resources?.limits?.[resourceName] !== has?.limits?.[resourceName]),
  );
}

/** Whether a pod waits for room on its node to be resized. */
export function isResizePending({ status }: Pod): boolean {
  return findCondition(status?.conditions, pending) !== undefined;
}

/** The conditions of a pod that are not about its size. */
export function withoutResize(conditions: readonly PodCondition[]): readonly PodCondition[] {
  return conditions.filter(({ type }) => type !== pending && type !== inProgress);
}

/** The pod with what its node has promised its containers, and not what they ask for since. */
export function allocatedPod(pod: Pod): Pod {
  const known = knownStatuses(pod);
  if (eachContainer(pod, (container) => isPromised(container, known.get(container.name)))) return pod;
  const given = (container: Container): Container => {
    const status = known.get(container.name);
    if (isPromised(container, status)) return container;
    const { requests: _requests, limits: _limits, ...others } = container.resources ?? {};
    const { allocatedResources: requests, resources: { limits } = {} } = status ?? {};
    const resources = { ...others, ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) };
    return { ...container, resources };
  };
  const { initContainers, containers = [] } = pod.spec ?? {};
  const init = initContainers === undefined ? {} : { initContainers: initContainers.map(given) };
  return { ...pod, spec: { ...pod.spec, ...init, containers: containers.map(given) } };
}

function deferred(pod: Pod, nowMs: number, resize: Resize, { reason, message }: Rejection): Resize {
  const before = findCondition(pod.status?.conditions, pending);
  const isTold = before !== undefined && before.observedGeneration === pod.metadata.generation;
  if (isTold && before.message === message) return { ...resize, conditions: [...resize.conditions, before] };
  const condition = resizeCondition(pod, nowMs, { type: pending, reason: "Deferred", message });
  const since = before?.lastTransitionTime === undefined ? {} : { lastTransitionTime: before.lastTransitionTime };
  const told = isTold ? [] : [note("ResizeDeferred", `Pod resize ${reason}`, pod, { error: message })];
  return { ...resize, conditions: [...resize.conditions, { ...condition, ...since }], notes: [...resize.notes, ...told] };
}

function resizeCondition({ metadata }: Pod, nowMs: number, said: Pick<PodCondition, "type" | "reason" | "message">): PodCondition {
  const now = formatTime(nowMs);
  const observed = metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
  return { ...said, status: "True", ...observed, lastProbeTime: now, lastTransitionTime: now };
}

/** An event with what all containers ask for, as kubelets write it. */
function note(
  reason: string,
  prefix: string,
  { metadata, spec }: Pod,
  more: { generation?: number | undefined; error?: string } = {},
): PodNote {
  const { generation = metadata.generation ?? 0, error } = more;
  const summary = ({ name, resources = {} }: Container): object => {
    const { limits, requests, claims } = resources;
    return { name, resources: { limits: sorted(limits), requests: sorted(requests), claims } };
  };
  const all = { initContainers: spec?.initContainers?.map(summary), containers: spec?.containers?.map(summary), generation, error };
  return { type: error === undefined ? "Normal" : "Warning", reason, message: `${prefix}: ${JSON.stringify(all)}` };
}

function sorted(amounts: ResourceRequirements["limits"]): ResourceRequirements["limits"] {
  return amounts === undefined
    ? undefined
    : Object.fromEntries(Object.entries(amounts).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function knownStatuses({ status }: Pod): ReadonlyMap<string, ContainerStatus> {
  return new Map([...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((each) => [each.name, each]));
}

function eachContainer({ spec }: Pod, holds: (container: Container) => boolean): boolean {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].every(holds);
}

/** Whether a container was promised what it asks for. One that has not begun has been promised nothing else. */
function isPromised({ resources }: Container, status: ContainerStatus | undefined): boolean {
  return status?.resources === undefined || isSame(resources?.requests, status.allocatedResources);
}

/** Whether a container has what it asks for. One that does not run has it when it begins. */
function hasAll({ resources }: Container, status: ContainerStatus | undefined): boolean {
  if (status?.state?.running === undefined || status.resources === undefined) return true;
  return isSame(resources?.requests, status.resources.requests) && isSame(resources?.limits, status.resources.limits);
}

/** Only these can be given to a container that runs. */
function isSame(left: ResourceRequirements["limits"] = {}, right: ResourceRequirements["limits"] = {}): boolean {
  return structuralEqual([left["cpu"], left["memory"]], [right["cpu"], right["memory"]]);
}
