import type { Labels } from "@kaji/core";
import { isMeant } from "../affinity-term.ts";
import type { AffinityTerm } from "../affinity-term.ts";
import type { ClusterState } from "../cluster-state.ts";
import { indifferent, refusal } from "../filter.ts";
import type { Filter, NodeCheck } from "../filter.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PlacedPod } from "../placed-pod.ts";
import type { PodInfo } from "../pod-info.ts";

const notNear = refusal("node(s) didn't match pod affinity rules");
const notAway = refusal("node(s) didn't match pod anti-affinity rules", { isResolvable: true });
const disturbing = refusal("node(s) didn't satisfy existing pods anti-affinity rules", { isResolvable: true });

/** Pods are near those that they want near, away from those that they do not, and away from those that do not want them. */
export const podAffinity: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged", "PodPlaced", "PodGone", "NamespaceChanged"],
  prepare: (pod, state) => {
    const { required, requiredAnti } = pod.affinities;
    const repelled = repelledFrom(pod, state);
    if (required.length + requiredAnti.length === 0 && repelled.isEmpty) return indifferent;
    return { type: "Check", ...checkAffinities(pod, repelled, state) };
  },
};

function checkAffinities(pod: PodInfo, repelled: TopologyCounts, state: ClusterState): NodeCheck {
  const { required, requiredAnti } = pod.affinities;
  const labelsOf = (namespace: string): Labels => state.reads.namespaceLabels(namespace);
  const isWanted = (other: PlacedPod): boolean => required.length > 0 && required.every((term) => isMeant(other, term, labelsOf));
  const near = new TopologyCounts();
  if (required.length > 0) near.addNodes(state, state.countsMeantByAll(required), required);
  const away = new TopologyCounts();
  for (const term of requiredAnti) away.addNodes(state, state.countsMeant(term), [term]);
  return {
    refuse: (node) => {
      if (!isNear(node, required, near, () => isWanted(pod))) return notNear;
      if (requiredAnti.some(({ topologyKey }) => away.at(node, topologyKey) > 0)) return notAway;
      return repelled.isAnywhere(node) ? disturbing : undefined;
    },
    suppose: (other, node, by) => {
      if (isWanted(other)) for (const term of required) near.add(node, term, by);
      for (const term of requiredAnti) if (isMeant(other, term, labelsOf)) away.add(node, term, by);
      for (const term of other.affinities.requiredAnti) if (isMeant(pod, term, labelsOf)) repelled.add(node, term, by);
    },
  };
}

/** The first of a group of pods that want each other finds none of them; it may go wherever the labels are. */
function isNear(node: NodeInfo, terms: readonly AffinityTerm[], near: TopologyCounts, wantsItself: () => boolean): boolean {
  if (terms.some(({ topologyKey }) => node.labels[topologyKey] === undefined)) return false;
  return terms.every(({ topologyKey }) => near.at(node, topologyKey) > 0) || (near.isEmpty && wantsItself());
}

/** Where there are pods that do not want this one near. */
function repelledFrom(pod: PodInfo, state: ClusterState): TopologyCounts {
  const counts = new TopologyCounts();
  const labelsOf = (namespace: string): Labels => state.reads.namespaceLabels(namespace);
  for (const { strength, term, nodes } of state.placedTerms()) {
    if (strength === "requiredAnti" && isMeant(pod, term, labelsOf)) counts.addNodes(state, nodes, [term]);
  }
  return counts;
}

/** How many pods count at each value of each label. Holds no zeros. */
class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  addNodes(state: ClusterState, nodes: ReadonlyMap<string, number>, terms: readonly AffinityTerm[]): void {
    for (const [name, count] of nodes) {
      const node = state.nodes.get(name);
      if (node !== undefined) for (const term of terms) this.add(node, term, count);
    }
  }

  add(node: NodeInfo, { topologyKey }: AffinityTerm, count: number): void {
    const value = node.labels[topologyKey];
    if (value === undefined) return;
    const values = this.#counts.get(topologyKey) ?? new Map<string, number>();
    const total = (values.get(value) ?? 0) + count;
    if (total === 0) values.delete(value);
    else values.set(value, total);
    if (values.size === 0) this.#counts.delete(topologyKey);
    else this.#counts.set(topologyKey, values);
  }

  at(node: NodeInfo, topologyKey: string): number {
    const value = node.labels[topologyKey];
    return value === undefined ? 0 : (this.#counts.get(topologyKey)?.get(value) ?? 0);
  }

  /** Whether anything counts at any of the node's labels. */
  isAnywhere(node: NodeInfo): boolean {
    for (const topologyKey of this.#counts.keys()) if (this.at(node, topologyKey) > 0) return true;
    return false;
  }
}
