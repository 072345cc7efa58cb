import type { ClusterEvent, Filter, Refusal, Refused } from "./filter.ts";

/** Why a pod fits nowhere: by node, or for all of them at once. */
export class Diagnosis {
  readonly nodeCount: number;
  /** Why no node was looked at. */
  readonly reason: string | undefined;
  readonly #refusals = new Map<string, Refusal>();
  readonly #filters = new Set<Filter>();

  private constructor(nodeCount: number, reason: string | undefined) {
    this.nodeCount = nodeCount;
    this.reason = reason;
  }

  static ofNodes(nodeCount: number): Diagnosis {
    return new Diagnosis(nodeCount, undefined);
  }

  static nowhere(nodeCount: number, reason: string, filter: Filter): Diagnosis {
    const diagnosis = new Diagnosis(nodeCount, reason);
    diagnosis.#filters.add(filter);
    return diagnosis;
  }

  refuse(node: string, { filter, refusal }: Refused): void {
    this.#refusals.set(node, refusal);
    this.#filters.add(filter);
  }

  refusalOf(node: string): Refusal | undefined {
    return this.#refusals.get(node);
  }

  /** The nodes where it may help to remove other pods. */
  resolvableNodes(): readonly string[] {
    return [...this.#refusals].filter(([, { isResolvable }]) => isResolvable).map(([node]) => node);
  }

  /** What may help the pod. Without a filter that refused it there were no nodes. */
  wokenBy(): ReadonlySet<ClusterEvent> {
    return new Set(this.#filters.size === 0 ? ["NodeAdded"] : [...this.#filters].flatMap(({ wokenBy }) => wokenBy));
  }

  /** As users read it, such as `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).` */
  message(): string {
    if (this.nodeCount === 0) return "no nodes available to schedule pods";
    const reasons = this.reason ?? histogram([...this.#refusals.values()].flatMap((refusal) => refusal.reasons));
    return `${unavailable(this.nodeCount)}: ${reasons}.`;
  }
}

/** Says of how many nodes none is available. */
export function unavailable(nodeCount: number): string {
  return `0/${nodeCount} nodes are available`;
}

/** Each reason with how many nodes have it, sorted as text. */
export function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(", ");
}
