import type { LabelOperator, Selector } from "@kaji/core";
import type { NodeInfo } from "./node-info.ts";
import type { PlacedPod } from "./placed-pod.ts";

/** How many pods of a namespace a selector selects on each node. */
export type NodeCounts = ReadonlyMap<string, number>;

interface Tally {
  readonly mark: string;
  readonly selector: Selector;
  readonly counts: Map<string, number>;
}

/** The operators of requirements that only a label with one of their values meets. */
const demanding: ReadonlySet<LabelOperator> = new Set(["=", "==", "in"]);

/** How many selectors are kept up to date; beyond that, the least recently queried is dropped. */
const capacity = 1000;

/** Counts pods by selector and node; a selector is counted from its first query on. */
export class MatchingPods {
  readonly #tallies = new Map<string, Tally>();
  /** By what a pod must have for the selector to select it: however many selectors there are, a change of a pod looks at few. */
  readonly #byMark = new Map<string, Set<Tally>>();
  readonly #nodes: () => Iterable<NodeInfo>;
  readonly #counts: (pod: PlacedPod) => boolean;

  /** Of the pods of all nodes, it counts those that a rule lets count. */
  constructor(nodes: () => Iterable<NodeInfo>, counts: (pod: PlacedPod) => boolean) {
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
  change(pod: PlacedPod, node: string, by: 1 | -1): void {
    if (this.#tallies.size === 0 || !this.#counts(pod)) return;
    for (const mark of marksOf(pod)) for (const tally of this.#byMark.get(mark) ?? []) count(tally, pod, node, by);
  }

  #tally(namespace: string, selector: Selector): Tally {
    const tally: Tally = { mark: markOf(namespace, selector), selector, counts: new Map() };
    for (const { name, pods } of this.#nodes()) {
      for (const pod of pods.values()) if (pod.namespace === namespace && this.#counts(pod)) count(tally, pod, name, 1);
    }
    const others = this.#byMark.get(tally.mark) ?? new Set();
    this.#byMark.set(tally.mark, others.add(tally));
    return tally;
  }

  #forgetOldest(): void {
    for (const [key, tally] of this.#tallies) {
      this.#tallies.delete(key);
      const others = this.#byMark.get(tally.mark);
      others?.delete(tally);
      if (others?.size === 0) this.#byMark.delete(tally.mark);
      return;
    }
  }
}

/** What every pod has that a selector selects: its namespace, and one of the labels that the selector demands. */
function markOf(namespace: string, { requirements }: Selector): string {
  const demanded = requirements.find(({ operator, values }) => values.length === 1 && demanding.has(operator));
  return demanded === undefined ? namespace : labelMark(namespace, demanded.key, demanded.values[0] ?? "");
}

/** The marks of all selectors that may select a pod. */
function marksOf({ namespace, labels }: PlacedPod): readonly string[] {
  return [namespace, ...Object.entries(labels).map(([key, value]) => labelMark(namespace, key, value))];
}

function labelMark(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`;
}

function count({ selector, counts }: Tally, pod: PlacedPod, node: string, by: 1 | -1): void {
  if (!selector.matches(pod.labels)) return;
  const total = (counts.get(node) ?? 0) + by;
  if (total === 0) counts.delete(node);
  else counts.set(node, total);
}
