import type { Labels, Selector } from "@kaji/core";
import type { Node, PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import type { PodDisruptionBudget } from "@kaji/types/policy/v1";
import type { StorageClass } from "@kaji/types/storage/v1";
import { isMeant } from "./affinity-term.ts";
import type { AffinityTerm } from "./affinity-term.ts";
import { MatchingPods } from "./matching-pods.ts";
import type { NodeCounts } from "./matching-pods.ts";
import { NodeInfo } from "./node-info.ts";
import { PlacedTerms } from "./placed-terms.ts";
import type { PlacedTerm } from "./placed-terms.ts";
import { countsAlike } from "./placed-pod.ts";
import type { PlacedPod } from "./placed-pod.ts";
import type { PodInfo } from "./pod-info.ts";
import { UsedClaims } from "./used-claims.ts";

/** What else in the cluster bears on where a pod can run. A read may throw a `NotMirroredError`: the pod is then tried again when all is there. */
export interface ClusterReads {
  namespaceLabels(namespace: string): Labels;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumes(): Iterable<PersistentVolume>;
  storageClass(name: string): StorageClass | undefined;
  /** Is there from the beginning: it is read in the middle of suppositions. */
  disruptionBudgets(namespace: string): Iterable<PodDisruptionBudget>;
  /** What selects the pod and its like: the Services and the owner of it. Without conditions if nothing does. */
  siblings(pod: PodInfo): Selector;
}

/**
 * The nodes and the pods on them, kept up to date change by change: scheduling a pod computes nothing anew that the last change left alone.
 *
 * A pod is on the node that it was last placed on, and counts nowhere if that node does not exist.
 */
export class ClusterState {
  readonly reads: ClusterReads;
  /** By name. */
  readonly nodes: Map<string, NodeInfo> = new Map();
  /** Counts for spreading, without pods that are being deleted. */
  readonly #lasting = new MatchingPods(
    () => this.nodes.values(),
    (pod) => !pod.isTerminating,
  );
  readonly #all = new MatchingPods(
    () => this.nodes.values(),
    () => true,
  );
  readonly #terms = new PlacedTerms();
  readonly #claims = new UsedClaims();
  /** Every pod that was placed on a node, by uid; the node need not exist. */
  readonly #placed = new Map<string, { readonly pod: PlacedPod; readonly node: string }>();
  /** Pods that wait for room that is being made for them, by node and uid. */
  readonly #nominated = new Map<string, Map<string, PodInfo>>();

  constructor(reads: ClusterReads) {
    this.reads = reads;
  }

  setNode(node: Node): void {
    const present = this.nodes.get(node.metadata.name);
    if (present !== undefined) {
      present.node = node;
      return;
    }
    const info = new NodeInfo(node);
    this.nodes.set(info.name, info);
    for (const { pod, node: name } of this.#placed.values()) if (name === info.name) this.#count(info, pod, 1);
  }

  removeNode(name: string): void {
    const info = this.nodes.get(name);
    if (info === undefined) return;
    for (const pod of [...info.pods.values()]) this.#count(info, pod, -1);
    this.nodes.delete(name);
  }

  /** Puts a pod on a node, in place of what was known of it. */
  place(pod: PlacedPod, node: string): void {
    const placed = this.#placed.get(pod.uid);
    if (placed?.node === node && countsAlike(placed.pod, pod)) {
      this.#placed.set(pod.uid, { pod, node });
      this.nodes.get(node)?.renew(pod);
      return;
    }
    this.displace(pod.uid);
    this.#placed.set(pod.uid, { pod, node });
    const info = this.nodes.get(node);
    if (info !== undefined) this.#count(info, pod, 1);
  }

  /** The pod of that uid, if it is on a node. */
  podOf(uid: string): PlacedPod | undefined {
    return this.#placed.get(uid)?.pod;
  }

  /** The node of the pod of that uid, if it is on one. */
  nodeOf(uid: string): string | undefined {
    return this.#placed.get(uid)?.node;
  }

  /** Takes a pod from its node, and returns it if it was on one. */
  displace(uid: string): PlacedPod | undefined {
    const placed = this.#placed.get(uid);
    if (placed === undefined) return undefined;
    this.#placed.delete(uid);
    const info = this.nodes.get(placed.node);
    if (info !== undefined) this.#count(info, placed.pod, -1);
    return placed.pod;
  }

  /** Notes that room is made for a pod on a node, or no longer on any; says whether that is anything new. */
  nominate(pod: PodInfo, node: string | undefined): boolean {
    let wasElsewhere = false;
    let wasHere = false;
    for (const [name, pods] of this.#nominated) {
      if (!pods.delete(pod.uid)) continue;
      if (pods.size === 0) this.#nominated.delete(name);
      wasHere = name === node;
      wasElsewhere = !wasHere;
    }
    if (node === undefined) return wasElsewhere;
    const pods = this.#nominated.get(node) ?? new Map<string, PodInfo>();
    this.#nominated.set(node, pods.set(pod.uid, pod));
    return !wasHere;
  }

  /** The pods for which room is being made on a node. */
  nominatedTo(node: string): readonly PodInfo[] {
    return this.#nominated.get(node)?.values().toArray() ?? [];
  }

  /** What the pods on nodes say about being near others. */
  placedTerms(): Iterable<PlacedTerm> {
    return this.#terms.all();
  }

  /** Whether some pod on a node uses a claim. */
  isClaimUsed(namespace: string, claim: string): boolean {
    return this.#claims.has(namespace, claim);
  }

  /** How many lasting pods of a namespace a selector selects on each node. */
  countsOf(namespace: string, selector: Selector): NodeCounts {
    return this.#lasting.countsOf(namespace, selector);
  }

  /** How many pods there are on each node that a term means. */
  countsMeant(term: AffinityTerm): NodeCounts {
    const { namespaces, namespaceSelector, selector } = term;
    if (namespaceSelector !== undefined || selector.requirements.length === 0) return this.#countEach([term]);
    const [namespace = ""] = namespaces;
    if (namespaces.length === 1) return this.#all.countsOf(namespace, selector);
    const totals = new Map<string, number>();
    for (const each of new Set(namespaces)) {
      for (const [node, count] of this.#all.countsOf(each, selector)) totals.set(node, (totals.get(node) ?? 0) + count);
    }
    return totals;
  }

  /** How many pods there are on each node that every one of the terms means. */
  countsMeantByAll(terms: readonly AffinityTerm[]): NodeCounts {
    const [term] = terms;
    return term !== undefined && terms.length === 1 ? this.countsMeant(term) : this.#countEach(terms);
  }

  #countEach(terms: readonly AffinityTerm[]): NodeCounts {
    const labelsOf = (namespace: string): Labels => this.reads.namespaceLabels(namespace);
    const counts = new Map<string, number>();
    for (const { name, pods } of this.nodes.values()) {
      let count = 0;
      for (const pod of pods.values()) if (terms.every((term) => isMeant(pod, term, labelsOf))) count++;
      if (count > 0) counts.set(name, count);
    }
    return counts;
  }

  #count(info: NodeInfo, pod: PlacedPod, by: 1 | -1): void {
    if (by === 1) info.add(pod);
    else info.remove(pod.uid);
    this.#lasting.change(pod, info.name, by);
    this.#all.change(pod, info.name, by);
    this.#terms.change(pod, info.name, by);
    this.#claims.change(pod, by);
  }
}
