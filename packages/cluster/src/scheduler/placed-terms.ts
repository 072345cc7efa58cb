import type { AffinityTerm, PodAffinities } from "./affinity-term.ts";
import type { NodeCounts } from "./matching-pods.ts";
import type { PlacedPod } from "./placed-pod.ts";

/** A term that pods have, and how many pods of each node have it. */
export interface PlacedTerm {
  readonly strength: keyof PodAffinities;
  readonly term: AffinityTerm;
  readonly nodes: NodeCounts;
}

interface Tally extends PlacedTerm {
  readonly nodes: Map<string, number>;
}

const strengths = ["required", "requiredAnti", "preferred", "preferredAnti"] as const;

/** What the pods on nodes say about being near others. Pods of one template say the same, which is kept once. */
export class PlacedTerms {
  readonly #tallies = new Map<string, Tally>();

  all(): Iterable<PlacedTerm> {
    return this.#tallies.values();
  }

  /** Follows a pod that came to a node, or left it. */
  change({ affinities, hasAffinities }: PlacedPod, node: string, by: 1 | -1): void {
    if (!hasAffinities) return;
    for (const strength of strengths) for (const term of affinities[strength]) this.#count(strength, term, node, by);
  }

  #count(strength: keyof PodAffinities, term: AffinityTerm, node: string, by: 1 | -1): void {
    const key = `${strength} ${term.id}`;
    const tally = this.#tallies.get(key) ?? { strength, term, nodes: new Map<string, number>() };
    const count = (tally.nodes.get(node) ?? 0) + by;
    if (count === 0) tally.nodes.delete(node);
    else tally.nodes.set(node, count);
    if (tally.nodes.size === 0) this.#tallies.delete(key);
    else this.#tallies.set(key, tally);
  }
}
