import { formatTime } from "@kaji/core";
import type { ContainerStatus, Pod, PodCondition, PodPhase } from "@kaji/types/core/v1";
import { isSidecar } from "./restart-policy.ts";

/** What the conditions of a pod follow from. */
export interface PodFacts {
  readonly pod: Pod;
  readonly phase: PodPhase;
  readonly statuses: ReadonlyMap<string, ContainerStatus>;
  /** Whether the pod has its network, so that containers can be started in it. */
  readonly hasSandbox: boolean;
  readonly nowMs: number;
}

type Draft = Pick<PodCondition, "status"> & Partial<Pick<PodCondition, "reason" | "message">>;

/** The conditions of a pod: first those of other components, then the kubelet's own. */
export function podConditions(facts: PodFacts): readonly PodCondition[] {
  const { pod, hasSandbox, nowMs } = facts;
  const present = pod.status?.conditions ?? [];
  const containersReady = containersReadyCondition(facts);
  const own: Readonly<Record<string, Draft>> = {
    PodReadyToStartContainers: { status: hasSandbox ? "True" : "False" },
    Initialized: initializedCondition(facts),
    Ready: containersReady.status === "True" ? gatesCondition(pod) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: { status: "True" },
  };
  const others = present.filter(({ type }) => !Object.hasOwn(own, type));
  return [...others, ...Object.entries(own).map(([type, draft]) => condition(type, draft, pod, nowMs))];
}

function condition(type: string, draft: Draft, { metadata, status }: Pod, nowMs: number): PodCondition {
  const before = status?.conditions?.find((each) => each.type === type);
  const observed = metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
  if (before === undefined || before.status !== draft.status) return { type, ...observed, ...draft, lastTransitionTime: formatTime(nowMs) };
  // A condition of the same status keeps its time of transition; one that is the same in all stays as it is.
  const isSame = before.reason === draft.reason && before.message === draft.message && before.observedGeneration === metadata.generation;
  return isSame ? before : { type, ...observed, ...draft, lastTransitionTime: before.lastTransitionTime ?? formatTime(nowMs) };
}

function containersReadyCondition({ pod, phase, statuses }: PodFacts): Draft {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const counted = [...(pod.spec?.initContainers ?? []).filter(isSidecar), ...(pod.spec?.containers ?? [])];
  const unready = counted.map(({ name }) => name).filter((name) => statuses.get(name)?.ready !== true);
  if (unready.length === 0) return { status: "True" };
  return { status: "False", reason: "ContainersNotReady", message: `containers with unready status: [${unready.join(" ")}]` };
}

function initializedCondition({ pod, phase, statuses }: PodFacts): Draft {
  if (phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const hasBegun = containers.some(({ name }) => {
    const { state, lastState } = statuses.get(name) ?? {};
    return state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
  });
  if (hasBegun) return { status: "True" };
  const incomplete = initContainers.filter((container) => {
    const status = statuses.get(container.name);
    return isSidecar(container) ? status?.started !== true : status?.ready !== true;
  });
  if (incomplete.length === 0) return { status: "True" };
  const names = incomplete.map(({ name }) => name).join(" ");
  return { status: "False", reason: "ContainersNotInitialized", message: `containers with incomplete status: [${names}]` };
}

function gatesCondition({ spec, status }: Pod): Draft {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = status?.conditions?.find(({ type }) => type === conditionType);
    const quoted = JSON.stringify(conditionType);
    if (gate === undefined) return [`corresponding condition of pod readiness gate ${quoted} does not exist.`];
    return gate.status === "True" ? [] : [`the status of pod readiness gate ${quoted} is not "True", but ${gate.status}`];
  });
  if (messages.length === 0) return { status: "True" };
  return { status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}
