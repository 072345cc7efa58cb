import type { Labels } from "@kaji/core";
import { isMeant } from "../affinity-term.ts";
import type { AffinityTerm } from "../affinity-term.ts";
import type { ClusterState } from "../cluster-state.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import { bestScore } from "../score.ts";
import type { Score } from "../score.ts";

/** Prefers nodes near pods that this one wants near, or that want it near; and the opposite for those that do not. */
export const preferredPods: Score = (pod, nodes, state) => {
  const weights = weightsOf(pod, state);
  if (weights.size === 0) return undefined;
  const sums = nodes.map(({ labels }) => {
    let sum = 0;
    for (const [topologyKey, values] of weights) sum += values.get(labels[topologyKey] ?? "") ?? 0;
    return sum;
  });
  const [lowest, highest] = [Math.min(...sums), Math.max(...sums)];
  if (lowest === highest) return undefined;
  return sums.map((sum) => Math.trunc((bestScore * (sum - lowest)) / (highest - lowest)));
};

/** By label and value, how much there is for a node that has it. */
type Weights = Map<string, Map<string, number>>;

function weightsOf(pod: PodInfo, state: ClusterState): Weights {
  const weights: Weights = new Map();
  const { preferred, preferredAnti } = pod.affinities;
  for (const [terms, sign] of [
    [preferred, 1],
    [preferredAnti, -1],
  ] as const) {
    for (const term of terms) {
      for (const [name, count] of state.countsMeant(term)) addWeight(weights, state.nodes.get(name), term, sign * term.weight * count);
    }
  }
  addWishes(weights, pod, state);
  return weights;
}

/** What pods that are there already say of the new one. A requirement to be near counts as the lightest of preferences. */
function addWishes(weights: Weights, pod: PodInfo, state: ClusterState): void {
  const labelsOf = (namespace: string): Labels => state.reads.namespaceLabels(namespace);
  for (const { strength, term, nodes } of state.placedTerms()) {
    if (strength === "requiredAnti" || !isMeant(pod, term, labelsOf)) continue;
    const weight = strength === "preferredAnti" ? -term.weight : term.weight;
    for (const [name, count] of nodes) addWeight(weights, state.nodes.get(name), term, weight * count);
  }
}

function addWeight(weights: Weights, node: NodeInfo | undefined, { topologyKey }: AffinityTerm, weight: number): void {
  const value = node?.labels[topologyKey];
  if (value === undefined) return;
  const values = weights.get(topologyKey) ?? new Map<string, number>();
  weights.set(topologyKey, values.set(value, (values.get(value) ?? 0) + weight));
}
