import type { Selector } from "@kaji/core";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";

/** How many pods of a namespace a selector selects on each node. */
export type NodeCounts = ReadonlyMap<string, number>;

interface Tally {
  readonly namespace: string;
  readonly selector: Selector;
  readonly counts: Map<string, number>;
}

/** How many selectors are kept up to date; beyond that, the least recently queried is dropped. */
const capacity = 1000;

/** Counts pods by selector and node; a selector is counted from its first query on. */
export class MatchingPods {
  readonly #tallies = new Map<string, Tally>();
  /** By namespace: a change of a pod updates only the tallies of its own. */
  readonly #byNamespace = new Map<string, Set<Tally>>();
  readonly #nodes: () => Iterable<NodeInfo>;
  readonly #counts: (pod: PodInfo) => boolean;

  /** Of the pods of all nodes, it counts those that a rule lets count. */
  constructor(nodes: () => Iterable<NodeInfo>, counts: (pod: PodInfo) => boolean) {
    this.#nodes = nodes;
    this.#counts = counts;
  }

  /** Selectors without conditions are not kept apart from each other, and select nothing here. */
  countsOf(namespace: string, selector: Selector): NodeCounts {
    if (selector.requirements.length === 0) return new Map();
    const key = `${namespace}/${String(selector)}`;
    const tally = this.#tallies.get(key) ?? this.#tally(namespace, selector);
    this.#tallies.delete(key);
    this.#tallies.set(key, tally);
    if (this.#tallies.size > capacity) this.#forgetOldest();
    return tally.counts;
  }

  /** Follows a pod that came to a node, or left it. */
  change(pod: PodInfo, node: string, by: 1 | -1): void {
    if (!this.#counts(pod)) return;
    for (const tally of this.#byNamespace.get(pod.namespace) ?? []) count(tally, pod, node, by);
  }

  #tally(namespace: string, selector: Selector): Tally {
    const tally: Tally = { namespace, selector, counts: new Map() };
    for (const { name, pods } of this.#nodes()) {
      for (const pod of pods.values()) if (pod.namespace === namespace && this.#counts(pod)) count(tally, pod, name, 1);
    }
    const others = this.#byNamespace.get(namespace) ?? new Set();
    this.#byNamespace.set(namespace, others.add(tally));
    return tally;
  }

  #forgetOldest(): void {
    for (const [key, tally] of this.#tallies) {
      this.#tallies.delete(key);
      const others = this.#byNamespace.get(tally.namespace);
      others?.delete(tally);
      if (others?.size === 0) this.#byNamespace.delete(tally.namespace);
      return;
    }
  }
}

function count({ selector, counts }: Tally, pod: PodInfo, node: string, by: 1 | -1): void {
  if (!selector.matches(pod.labels)) return;
  const total = (counts.get(node) ?? 0) + by;
  if (total === 0) counts.delete(node);
  else counts.set(node, total);
}
