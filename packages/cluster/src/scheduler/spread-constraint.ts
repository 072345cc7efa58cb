import { compileSelector } from "@kaji/core";
import type { Selector } from "@kaji/core";
import type { Pod, TopologySpreadConstraint } from "@kaji/types/core/v1";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import { untoleratedTaint } from "./toleration.ts";

/** How evenly pods are to be spread over the values of a label of nodes. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: Selector;
  /** Whether nodes count that the pod may not run on by its node affinity, or by their taints. */
  readonly honoursAffinity: boolean;
  readonly honoursTaints: boolean;
}

/** The spread constraints of a pod that must hold, or those that should. The server has put `matchLabelKeys` into the selectors already. */
export function spreadConstraints(
  { spec }: Pod,
  whenUnsatisfiable: TopologySpreadConstraint["whenUnsatisfiable"],
): readonly SpreadConstraint[] {
  return (spec?.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => ({
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      selector: compileSelector(constraint.labelSelector),
      honoursAffinity: constraint.nodeAffinityPolicy !== "Ignore",
      honoursTaints: constraint.nodeTaintsPolicy === "Honor",
    }));
}

/** Spread for pods that ask for none, by what selects them: over nodes first, then over zones. */
export function defaultSpread(selector: Selector): readonly SpreadConstraint[] {
  const common = { minDomains: 1, selector, honoursAffinity: true, honoursTaints: false };
  return [
    { ...common, topologyKey: "kubernetes.io/hostname", maxSkew: 3 },
    { ...common, topologyKey: "topology.kubernetes.io/zone", maxSkew: 5 },
  ];
}

/** Whether the pods of a node count for a constraint. */
export function countsNode({ honoursAffinity, honoursTaints }: SpreadConstraint, pod: PodInfo, node: NodeInfo): boolean {
  if (honoursAffinity && pod.requiredNodes !== undefined && !pod.requiredNodes(node.node)) return false;
  return !honoursTaints || untoleratedTaint(node.repellingTaints, pod.tolerations) === undefined;
}

/** Whether a node has all the labels that pods are spread over. */
export function hasTopologies(node: NodeInfo, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => node.labels[topologyKey] !== undefined);
}
