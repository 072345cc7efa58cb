import type { ClusterState } from "../cluster-state.ts";
import type { NodeCounts } from "../matching-pods.ts";
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
  const spread: Spread = { pod, candidates: nodes.filter(isCounted), all: state.nodes.values().filter(isCounted).toArray(), state };
  const costs = constraints.map((constraint) => costOf(constraint, spread));
  return lowestIsBest(nodes.map((node) => (isCounted(node) ? Math.round(sumOf(costs, node)) : undefined)));
};

function defaultConstraints(pod: PodInfo, { reads }: ClusterState): readonly SpreadConstraint[] {
  const selector = reads.siblings(pod);
  return selector.requirements.length === 0 ? [] : defaultSpread(selector);
}

/** Over what a pod is spread. */
interface Spread {
  readonly pod: PodInfo;
  /** The nodes that it can run on. */
  readonly candidates: readonly NodeInfo[];
  /** The nodes whose pods count. */
  readonly all: readonly NodeInfo[];
  readonly state: ClusterState;
}

type NodeCost = (node: NodeInfo) => number;

/** What a node costs by one constraint: the pods in its domain, weighted so that few large domains do not outweigh many small ones. */
function costOf(constraint: SpreadConstraint, spread: Spread): NodeCost {
  const { topologyKey, maxSkew, selector } = constraint;
  const counts = spread.state.countsOf(spread.pod.namespace, selector);
  // Where each node is a domain of its own, as kube-scheduler takes it to be, nothing has to be added up.
  const isNode = topologyKey === "kubernetes.io/hostname";
  const domains = isNode ? undefined : domainCounts(constraint, counts, spread);
  const weight = Math.log((domains?.size ?? spread.candidates.length) + 2);
  return ({ name, labels }) => {
    const domain = labels[topologyKey];
    if (domain === undefined) return 0;
    return ((domains === undefined ? counts.get(name) : domains.get(domain)) ?? 0) * weight + maxSkew - 1;
  };
}

/** How many pods there are in each domain in which there is a candidate. */
function domainCounts(constraint: SpreadConstraint, counts: NodeCounts, { pod, candidates, all }: Spread): NodeCounts {
  const { topologyKey } = constraint;
  const domains = new Map<string, number>();
  for (const { labels } of candidates) domains.set(labels[topologyKey] ?? "", 0);
  for (const node of all) {
    const domain = node.labels[topologyKey] ?? "";
    const count = counts.get(node.name) ?? 0;
    const total = domains.get(domain);
    if (count > 0 && total !== undefined && countsNode(constraint, pod, node)) domains.set(domain, total + count);
  }
  return domains;
}

function sumOf(costs: readonly NodeCost[], node: NodeInfo): number {
  let sum = 0;
  for (const cost of costs) sum += cost(node);
  return sum;
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
