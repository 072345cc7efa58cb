import { compileSelector, parseTime } from "@kaji/core";
import type { ClusterState } from "./cluster-state.ts";
import { histogram, unavailable } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { suppose, whyNot } from "./feasibility.ts";
import type { Checks } from "./feasibility.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PlacedPod } from "./placed-pod.ts";
import type { PodInfo } from "./pod-info.ts";

/** Which pods must go for another to run, or why that is no help. */
export type Preemption =
  | { readonly type: "Victims"; readonly node: string; readonly victims: readonly PlacedPod[] }
  | {
      readonly type: "Useless";
      readonly message: string;
      /** Whether the pod goes on waiting for the room that is being made for it. */
      readonly keepsNomination: boolean;
    };

/** What kube-scheduler reports first: that releasing resource claims does not help either. */
const notDeallocated = "no new claims to deallocate";

interface Candidate {
  readonly node: NodeInfo;
  /** The most important first. */
  readonly victims: readonly PlacedPod[];
  readonly violations: number;
}

/** Finds the node where the least important pods have to go. Changes nothing. */
export function preempt(pod: PodInfo, state: ClusterState, diagnosis: Diagnosis, checks: Checks): Preemption {
  const why = whyIneligible(pod, state, diagnosis);
  if (why !== undefined) return { type: "Useless", message: `${notDeallocated}, preemption: ${why}`, keepsNomination: true };
  const candidates: Candidate[] = [];
  const reasons: string[] = [];
  for (const name of diagnosis.resolvableNodes()) {
    const node = state.nodes.get(name);
    if (node === undefined) continue;
    const found = victimsOn(node, pod, state, checks);
    if (found.type === "Candidate") candidates.push(found);
    else reasons.push(...found.reasons);
  }
  const best = bestOf(candidates);
  if (best !== undefined) return { type: "Victims", node: best.node.name, victims: best.victims };
  const rest = diagnosis.nodeCount - diagnosis.resolvableNodes().length;
  const all = [...reasons, ...Array.from({ length: rest }, () => "Preemption is not helpful for scheduling")];
  return {
    type: "Useless",
    message: `${notDeallocated}, preemption: ${unavailable(diagnosis.nodeCount)}: ${histogram(all)}.`,
    keepsNomination: false,
  };
}

function whyIneligible({ pod, priority }: PodInfo, state: ClusterState, diagnosis: Diagnosis): string | undefined {
  if (pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = pod.status?.nominatedNodeName;
  if (nominated === undefined || diagnosis.refusalOf(nominated)?.isResolvable === false) return undefined;
  const others = state.nodes.get(nominated)?.pods.values().toArray() ?? [];
  const isWaited = others.some((other) => other.priority < priority && other.isPreempted);
  return isWaited ? "not eligible due to a terminating pod on the nominated node." : undefined;
}

type Found = ({ readonly type: "Candidate" } & Candidate) | { readonly type: "None"; readonly reasons: readonly string[] };

/** Removes all pods that may go, and puts back as many as it can, the most important first, and before all those whose budget is used up. */
function victimsOn(node: NodeInfo, pod: PodInfo, state: ClusterState, checks: Checks): Found {
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority).toSorted(byImportance);
  if (lesser.length === 0) return { type: "None", reasons: ["No preemption victims found for incoming pod"] };
  for (const other of lesser) suppose(other, node, checks, -1);
  const refused = whyNot(pod, node, checks, state);
  const victims: PlacedPod[] = [];
  const violating = refused === undefined ? violatingBudgets(lesser, state) : new Set<PlacedPod>();
  const kept = refused === undefined ? [...violating, ...lesser.filter((other) => !violating.has(other))] : [];
  for (const other of kept) {
    suppose(other, node, checks, 1);
    if (whyNot(pod, node, checks, state) === undefined) continue;
    suppose(other, node, checks, -1);
    victims.push(other);
  }
  for (const other of refused === undefined ? victims : lesser) suppose(other, node, checks, 1);
  if (refused !== undefined) return { type: "None", reasons: refused.refusal.reasons };
  const violations = victims.filter((victim) => violating.has(victim)).length;
  return { type: "Candidate", node, victims: victims.toSorted(byImportance), violations };
}

/** The pods whose removal, in this order, would leave too few of their like. */
function violatingBudgets(pods: readonly PlacedPod[], { reads }: ClusterState): ReadonlySet<PlacedPod> {
  const allowed = new Map<string, number>();
  const violating = new Set<PlacedPod>();
  for (const pod of pods) {
    for (const { metadata, spec, status } of reads.disruptionBudgets(pod.namespace)) {
      const selector = compileSelector(spec?.selector);
      if (selector.requirements.length === 0 || !selector.matches(pod.labels)) continue;
      if (Object.hasOwn(status?.disruptedPods ?? {}, pod.name)) continue;
      const key = `${pod.namespace}/${metadata.name}`;
      const left = (allowed.get(key) ?? status?.disruptionsAllowed ?? 0) - 1;
      allowed.set(key, left);
      if (left < 0) violating.add(pod);
    }
  }
  return violating;
}

/** Higher priority first, then those that have run longer. */
function byImportance(left: PlacedPod, right: PlacedPod): number {
  return right.priority - left.priority || startMs(left) - startMs(right);
}

function startMs({ startTime }: PlacedPod): number {
  return startTime === undefined ? Number.MAX_SAFE_INTEGER : parseTime(startTime);
}

/** Fewest violated budgets, then the lowest of the highest priorities, the lowest sum of priorities, the fewest victims, the latest start. */
function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  const lowestPriority = 2 ** 31;
  const measures: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]?.priority ?? 0,
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + lowestPriority, 0),
    ({ victims }) => victims.length,
    ({ victims }) => -Math.min(...victims.filter(({ priority }) => priority === victims[0]?.priority).map(startMs)),
  ];
  let best = candidates;
  for (const measure of measures) {
    const lowest = Math.min(...best.map(measure));
    best = best.filter((candidate) => measure(candidate) === lowest);
  }
  return best[0];
}
