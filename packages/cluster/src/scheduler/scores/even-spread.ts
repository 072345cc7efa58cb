import type { ClusterState } from "../cluster-state.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import { bestScore } from "../score.ts";
import type { Score } from "../score.ts";
import { countsNode, defaultSpread, hasTopologies, spreadConstraints } from "../spread-constraint.ts";
import type { SpreadConstraint } from "../spread-constraint.ts";

/** Prefers nodes where there are few pods like this one, by the pod's own constraints or else by what selects it. */
export const evenSpread: Score = (pod, nodes, state) => {
  const isOwn = (pod.pod.spec?.topologySpreadConstraints ?? []).length > 0;
  const constraints = isOwn ? spreadConstraints(pod.pod, "ScheduleAnyway") : defaultConstraints(pod, state);
  if (constraints.length === 0) return undefined;
  // The pod's own constraints ignore nodes without the topology labels; the default constraints do not.
  const isCounted = (node: NodeInfo): boolean => !isOwn || hasTopologies(node, constraints);
  const costs = constraints.map((constraint) =>
    domainCosts(constraint, pod, nodes.filter(isCounted), [...state.nodes.values()].filter(isCounted), state),
  );
  const sums = nodes.map((node) => (isCounted(node) ? Math.round(sumOf(costs, (cost) => cost(node))) : undefined));
  return lowestIsBest(sums);
};

function defaultConstraints(pod: PodInfo, { reads }: ClusterState): readonly SpreadConstraint[] {
  const selector = reads.siblings(pod);
  return selector.requirements.length === 0 ? [] : defaultSpread(selector);
}

/** What a node costs by one constraint: the pods in its domain, weighted so that few large domains do not outweigh many small ones. */
function domainCosts(
  constraint: SpreadConstraint,
  pod: PodInfo,
  candidates: readonly NodeInfo[],
  all: readonly NodeInfo[],
  state: ClusterState,
): (node: NodeInfo) => number {
  const { topologyKey, maxSkew, selector } = constraint;
  const domains = new Map<string, number>();
  for (const { labels } of candidates) domains.set(labels[topologyKey] ?? "", 0);
  const counts = state.countsOf(pod.namespace, selector);
  for (const node of all) {
    const domain = node.labels[topologyKey] ?? "";
    const count = counts.get(node.name) ?? 0;
    const total = domains.get(domain);
    if (count > 0 && total !== undefined && countsNode(constraint, pod, node)) domains.set(domain, total + count);
  }
  const weight = Math.log(domains.size + 2);
  return ({ labels }) => {
    const domain = labels[topologyKey];
    return domain === undefined ? 0 : (domains.get(domain) ?? 0) * weight + maxSkew - 1;
  };
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** Nodes that do not count get nothing. */
function lowestIsBest(costs: readonly (number | undefined)[]): readonly number[] {
  const known = costs.filter((cost) => cost !== undefined);
  const [lowest, highest] = [Math.min(...known), Math.max(0, ...known)];
  return costs.map((cost) => {
    if (cost === undefined) return 0;
    return highest === 0 ? bestScore : Math.trunc((bestScore * (highest + lowest - cost)) / highest);
  });
}
