import type { ClusterState } from "../cluster-state.ts";
import { indifferent, refusal } from "../filter.ts";
import type { Filter, NodeCheck, Refusal } from "../filter.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import { countsNode, hasTopologies, spreadConstraints } from "../spread-constraint.ts";
import type { SpreadConstraint } from "../spread-constraint.ts";

const mismatch = "node(s) didn't match pod topology spread constraints";
const uneven = refusal(mismatch, { isResolvable: true });
const unlabelled = refusal(`${mismatch} (missing required label)`);

/** Keeps pods evenly spread over the values of a label. */
export const topologySpread: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged", "PodPlaced", "PodGone"],
  prepare: (pod, state) => {
    const constraints = spreadConstraints(pod.pod, "DoNotSchedule");
    return constraints.length === 0 ? indifferent : { type: "Check", ...checkSpread(pod, constraints, state) };
  },
};

interface Spread {
  readonly constraint: SpreadConstraint;
  /** Matching pods by the value of the label. Only values that a node has which counts. */
  readonly domains: Map<string, number>;
  /** 1 if the pod would itself be one of those that are counted. */
  readonly own: number;
}

function checkSpread(pod: PodInfo, constraints: readonly SpreadConstraint[], state: ClusterState): NodeCheck {
  const nodes = [...state.nodes.values()].filter((node) => hasTopologies(node, constraints));
  const spreads = constraints.map((constraint) => spreadOf(constraint, pod, nodes, state));
  return {
    refuse: (node) => {
      for (const spread of spreads) {
        const why = refuseBySpread(spread, node);
        if (why !== undefined) return why;
      }
      return undefined;
    },
    suppose: (other, node, by) => {
      if (other.namespace !== pod.namespace || other.isTerminating || !hasTopologies(node, constraints)) return;
      for (const { constraint, domains } of spreads) {
        const domain = node.labels[constraint.topologyKey] ?? "";
        if (constraint.selector.matches(other.labels) && countsNode(constraint, pod, node))
          domains.set(domain, (domains.get(domain) ?? 0) + by);
      }
    },
  };
}

function spreadOf(constraint: SpreadConstraint, pod: PodInfo, nodes: readonly NodeInfo[], state: ClusterState): Spread {
  const counts = state.countsOf(pod.namespace, constraint.selector);
  const domains = new Map<string, number>();
  for (const node of nodes) {
    if (!countsNode(constraint, pod, node)) continue;
    const domain = node.labels[constraint.topologyKey] ?? "";
    domains.set(domain, (domains.get(domain) ?? 0) + (counts.get(node.name) ?? 0));
  }
  return { constraint, domains, own: constraint.selector.matches(pod.labels) ? 1 : 0 };
}

function refuseBySpread({ constraint, domains, own }: Spread, node: NodeInfo): Refusal | undefined {
  const domain = node.labels[constraint.topologyKey];
  if (domain === undefined) return unlabelled;
  // With fewer domains than `minDomains`, the minimum counts as zero.
  const least = domains.size < constraint.minDomains ? 0 : leastOf(domains);
  return (domains.get(domain) ?? 0) + own - least > constraint.maxSkew ? uneven : undefined;
}

function leastOf(domains: ReadonlyMap<string, number>): number {
  let least = Infinity;
  for (const count of domains.values()) if (count < least) least = count;
  return least === Infinity ? 0 : least;
}
