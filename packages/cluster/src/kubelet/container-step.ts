import { formatTime, parseTime } from "@kaji/core";
import type { Container, ContainerStateTerminated, ContainerStatus, Pod } from "@kaji/types/core/v1";
import { containerId, fullImageName, imageId } from "./image-reference.ts";
import { isResizing, needsRestart, resizedSince } from "./in-place-resize.ts";
import type { ContainerRun, PodRuntime, RunState, StartedRun, StopOrder } from "./pod-runtime.ts";
import { restartDelayMs, shouldRestart } from "./restart-policy.ts";

/** What the steps of the containers of one pod have in common. */
export interface PodStep {
  readonly pod: Pod;
  readonly nowMs: number;
  readonly runtime: PodRuntime;
  /** What a container's environment refers to and does not exist. */
  readonly misconfiguration: (container: Container) => string | undefined;
  /** Asks for another step at that time. */
  readonly wakeAt: (ms: number) => void;
  /** Records an event. */
  readonly note: (type: "Normal" | "Warning", reason: string, message: string) => void;
}

/** How a container is at the beginning: it waits for the pod to be set up, or for those that run before it. */
export function waitingStatus(container: Container, reason: "ContainerCreating" | "PodInitializing"): ContainerStatus {
  return {
    name: container.name,
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    started: false,
    restartCount: 0,
    image: container.image ?? "",
    imageID: "",
    ...mountsOf(container),
  };
}

/** Takes a container one step on: from waiting to running, to ended, and to waiting again. At most one, so that each can be seen. */
export function stepContainer(step: PodStep, container: Container, role: ContainerRun["role"], known: ContainerStatus): ContainerStatus {
  const before = { ...known, ...mountsOf(container), ...(known.resources === undefined ? {} : promisedTo(container)) };
  const { running, terminated } = before.state ?? {};
  if (running !== undefined) {
    const isResized = before.resources === undefined || isResizing(step.pod, container, before);
    if (isResized && needsRestart(container, before)) return runResized(step, container, role, before);
    const run = startedRun(step, container, role, before, running.startedAt);
    return observed(step, run, isResized ? { ...before, ...resourcesOf(container) } : before, step.runtime.observe(run));
  }
  if (terminated !== undefined) {
    if ((role === "Init" && terminated.exitCode === 0) || !shouldRestart(container, step.pod, terminated.exitCode)) return before;
    return afterEnd(step, container, role, before, terminated);
  }
  const last = before.lastState?.terminated;
  if (last !== undefined && before.state?.waiting?.reason === "CrashLoopBackOff") return afterEnd(step, container, role, before, last);
  return start(step, container, role, before);
}

/** Takes a container one step towards its end. One that has not begun stays as it is. */
export function stopContainer(
  step: PodStep,
  container: Container,
  role: ContainerRun["role"],
  before: ContainerStatus,
  order: StopOrder,
): ContainerStatus {
  const { running } = before.state ?? {};
  if (running === undefined) return before;
  const run = startedRun(step, container, role, before, running.startedAt);
  const stopped = observed(step, run, before, step.runtime.stop(run, order));
  if (stopped.state?.terminated !== undefined) step.note("Normal", "Killing", `Stopping container ${container.name}`);
  return stopped;
}

/** Stops a container that has to be run again to be given something else, and then runs it, whatever its policy says of those that end. */
function runResized(step: PodStep, container: Container, role: ContainerRun["role"], before: ContainerStatus): ContainerStatus {
  const run = startedRun(step, container, role, before, before.state?.running?.startedAt);
  const order = {
    sinceMs: timeOf(resizedSince(step.pod), step.nowMs),
    graceMs: (step.pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000,
  };
  const { state, ...stopped } = observed(step, run, before, step.runtime.stop(run, order));
  if (state?.terminated === undefined) return { ...stopped, ...(state === undefined ? {} : { state }) };
  step.note("Normal", "Killing", `Container ${container.name} resize requires restart`);
  const waits = { state: { waiting: { reason: "ContainerCreating" } }, lastState: { terminated: state.terminated } };
  return start(step, container, role, { ...stopped, ...waits, restartCount: before.restartCount + 1 });
}

/** Runs a container again that has ended, when it has waited long enough. */
function afterEnd(
  step: PodStep,
  container: Container,
  role: ContainerRun["role"],
  before: ContainerStatus,
  ended: ContainerStateTerminated,
): ContainerStatus {
  const endMs = timeOf(ended.finishedAt, step.nowMs);
  const delayMs = restartDelayMs(before.restartCount, endMs - timeOf(ended.startedAt, endMs));
  const dueMs = endMs + delayMs;
  if (step.nowMs >= dueMs)
    return start(step, container, role, { ...before, restartCount: before.restartCount + 1, lastState: { terminated: ended } });
  step.wakeAt(dueMs);
  if (before.state?.waiting !== undefined) return before;
  const { name, namespace, uid } = step.pod.metadata;
  const where = `${name}_${namespace}(${uid})`;
  step.note("Warning", "BackOff", `Back-off restarting failed container ${container.name} in pod ${where}`);
  const message = `back-off ${delayText(delayMs)} restarting failed container=${container.name} pod=${where}`;
  return {
    ...before,
    state: { waiting: { reason: "CrashLoopBackOff", message } },
    lastState: { terminated: ended },
    ready: false,
    started: false,
  };
}

function start(step: PodStep, container: Container, role: ContainerRun["role"], before: ContainerStatus): ContainerStatus {
  const { pod, nowMs, runtime } = step;
  const { restartCount } = before;
  const image = runtime.pull({ pod, container, role, restartCount, nowMs });
  if (image.type === "Failed") return withoutImage(step, container, before, image.message);
  if (image.type === "Pulling") {
    step.wakeAt(image.untilMs);
    return before;
  }
  const problem = step.misconfiguration(container);
  const name = container.image ?? "";
  // The image comes first, so that it is told of even where nothing can be made of it.
  if (problem === undefined || before.state?.waiting?.message !== problem)
    step.note("Normal", "Pulled", `Container image ${JSON.stringify(name)} already present on machine and can be accessed by the pod`);
  if (problem !== undefined) return waiting(step, before, "CreateContainerConfigError", problem, `Error: ${problem}`);
  step.note("Normal", "Created", "Container created");
  step.note("Normal", "Started", "Container started");
  const startedAt = formatTime(nowMs);
  const running: ContainerStatus = {
    ...before,
    state: { running: { startedAt } },
    image: fullImageName(name),
    imageID: imageId(name),
    containerID: containerId(pod.metadata.uid ?? "", container.name, restartCount),
    ...resourcesOf(container),
  };
  const state = runtime.observe(startedRun(step, container, role, running, startedAt));
  // Watchers see the container running once, even if it has ended already.
  if (state.type === "Running") return withRunning(step, running, state);
  step.wakeAt(nowMs);
  return { ...running, started: true, ready: false };
}

/** The first failure is `ErrImagePull`, every later one `ImagePullBackOff`. */
function withoutImage(step: PodStep, container: Container, before: ContainerStatus, why: string): ContainerStatus {
  const image = JSON.stringify(container.image ?? "");
  const reason = before.state?.waiting?.reason;
  if (reason === "ImagePullBackOff") return before;
  if (reason === "ErrImagePull") {
    return waiting(step, before, "ImagePullBackOff", `Back-off pulling image ${image}: ErrImagePull: ${why}`, `Error: ImagePullBackOff`);
  }
  step.wakeAt(step.nowMs);
  return waiting(step, before, "ErrImagePull", why, `Failed to pull image ${image}: ${why}`);
}

function waiting(step: PodStep, before: ContainerStatus, reason: string, message: string, note: string): ContainerStatus {
  const present = before.state?.waiting;
  if (present?.reason === reason && present.message === message) return before;
  step.note("Warning", "Failed", note);
  return { ...before, state: { waiting: { reason, message } }, ready: false, started: false };
}

function observed(step: PodStep, run: StartedRun, before: ContainerStatus, state: RunState): ContainerStatus {
  if (state.type === "Running") return withRunning(step, before, state);
  const { exitCode, atMs, message } = state;
  const terminated: ContainerStateTerminated = {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    ...(message === undefined ? {} : { message }),
    startedAt: formatTime(run.startedAtMs),
    finishedAt: formatTime(atMs),
    ...(before.containerID === undefined ? {} : { containerID: before.containerID }),
  };
  // An init container that has done its work is what counts as ready.
  return { ...before, state: { terminated }, ready: run.role === "Init" && exitCode === 0, started: false };
}

function withRunning(step: PodStep, before: ContainerStatus, state: RunState & { readonly type: "Running" }): ContainerStatus {
  if (state.nextChangeMs !== undefined) step.wakeAt(state.nextChangeMs);
  return { ...before, started: state.isStarted, ready: state.isReady };
}

function startedRun(
  { pod, nowMs }: PodStep,
  container: Container,
  role: ContainerRun["role"],
  { restartCount }: ContainerStatus,
  startedAt: string | undefined,
): StartedRun {
  return { pod, container, role, restartCount, nowMs, startedAtMs: timeOf(startedAt, nowMs) };
}

function timeOf(text: string | undefined, otherwiseMs: number): number {
  return text === undefined ? otherwiseMs : parseTime(text);
}

/** What a container has been given that is given what it asks for. */
function resourcesOf(container: Container): Pick<ContainerStatus, "allocatedResources" | "resources"> {
  return { ...promisedTo(container), resources: container.resources ?? {} };
}

function promisedTo({ resources }: Container): Pick<ContainerStatus, "allocatedResources"> {
  return resources?.requests === undefined ? {} : { allocatedResources: resources.requests };
}

function mountsOf({ volumeMounts = [] }: Container): Pick<ContainerStatus, "volumeMounts"> {
  return volumeMounts.length === 0 ? {} : { volumeMounts: volumeMounts.map(mountStatus) };
}

function mountStatus({
  name,
  mountPath,
  readOnly = false,
}: {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}): {
  readonly name: string;
  readonly mountPath: string;
} {
  return { name, mountPath, ...(readOnly ? { readOnly, recursiveReadOnly: "Disabled" } : {}) };
}

/** As Go writes a duration of seconds: `10s`, `2m40s`. */
function delayText(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), (ms % 60_000) / 1000];
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds}s`;
}
