import { randomBelow } from "@kaji/core";
import type { Random } from "@kaji/core";
import type { ClusterState } from "./cluster-state.ts";
import { Diagnosis } from "./diagnosis.ts";
import { prepareFilters, whyNot } from "./feasibility.ts";
import type { Checks } from "./feasibility.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import { weightedScores } from "./scores/weighted-scores.ts";

/** Where a pod goes, or why it can go nowhere. */
export type Decision =
  | { readonly type: "Node"; readonly node: string }
  | { readonly type: "Unschedulable"; readonly diagnosis: Diagnosis; /** Absent if no node was looked at. */ readonly checks?: Checks };

/** Finds the node that suits a pod best. Changes nothing; of nodes that suit it alike, chance takes one. */
export function schedule(pod: PodInfo, state: ClusterState, random: Random): Decision {
  const prepared = prepareFilters(pod, state);
  if (prepared.type === "Nowhere") return { type: "Unschedulable", diagnosis: prepared.diagnosis };
  const { checks } = prepared;
  const nominated = state.nodes.get(pod.pod.status?.nominatedNodeName ?? "");
  if (nominated !== undefined && whyNot(pod, nominated, checks, state) === undefined) return { type: "Node", node: nominated.name };

  const feasible: NodeInfo[] = [];
  const diagnosis = Diagnosis.ofNodes(state.nodes.size);
  for (const node of state.nodes.values()) {
    const refused = whyNot(pod, node, checks, state);
    if (refused === undefined) feasible.push(node);
    else diagnosis.refuse(node.name, refused);
  }
  if (feasible.length === 0) return { type: "Unschedulable", diagnosis, checks };
  return { type: "Node", node: bestOf(feasible, pod, state, random).name };
}

function bestOf(nodes: readonly NodeInfo[], pod: PodInfo, state: ClusterState, random: Random): NodeInfo {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;
  const totals = nodes.map(() => 0);
  for (const { score, weight } of weightedScores) {
    score(pod, nodes, state)?.forEach((value, index) => (totals[index] = (totals[index] ?? 0) + weight * value));
  }
  const highest = Math.max(...totals);
  const best = nodes.filter((_, index) => totals[index] === highest);
  const chosen = best[randomBelow(random, best.length)];
  if (chosen === undefined) throw new RangeError("there is no node to choose from");
  return chosen;
}
