import type { Labels } from "@kaji/core";
import type { Node, Taint } from "@kaji/types/core/v1";
import { TakenPorts } from "./host-ports.ts";
import type { PlacedPod } from "./placed-pod.ts";
import { addAmounts, allocatableOf } from "./resource-amounts.ts";
import type { Amounts } from "./resource-amounts.ts";
import { keepsAway } from "./toleration.ts";

/**
 * A node with the pods on it, and their sums.
 *
 * Invariant: every sum is that of `pods`, whatever was added and removed in whatever order.
 */
export class NodeInfo {
  readonly name: string;
  readonly pods: Map<string, PlacedPod> = new Map();
  readonly ports: TakenPorts = new TakenPorts();
  readonly #requested = new Map<string, number>();
  readonly #presumed = new Map<string, number>();
  #node: Node;
  #allocatable: Amounts;
  #repellingTaints: readonly Taint[];

  constructor(node: Node) {
    this.name = node.metadata.name;
    this.#node = node;
    this.#allocatable = allocatableOf(node);
    this.#repellingTaints = (node.spec?.taints ?? []).filter(keepsAway);
  }

  get node(): Node {
    return this.#node;
  }

  set node(node: Node) {
    this.#node = node;
    this.#allocatable = allocatableOf(node);
    this.#repellingTaints = (node.spec?.taints ?? []).filter(keepsAway);
  }

  get labels(): Labels {
    return this.#node.metadata.labels ?? {};
  }

  get allocatable(): Amounts {
    return this.#allocatable;
  }

  /** What the pods ask for. */
  get requested(): Amounts {
    return this.#requested;
  }

  /** What the pods are taken to need when nodes are compared. */
  get presumed(): Amounts {
    return this.#presumed;
  }

  /** The taints that keep pods away. */
  get repellingTaints(): readonly Taint[] {
    return this.#repellingTaints;
  }

  add(pod: PlacedPod): void {
    this.remove(pod.uid);
    this.pods.set(pod.uid, pod);
    this.#count(pod, 1);
  }

  /** Replaces the state of a pod on this node by one that changes no sum. */
  renew(pod: PlacedPod): void {
    if (this.pods.has(pod.uid)) this.pods.set(pod.uid, pod);
  }

  remove(uid: string): PlacedPod | undefined {
    const pod = this.pods.get(uid);
    if (pod === undefined) return undefined;
    this.pods.delete(uid);
    this.#count(pod, -1);
    return pod;
  }

  #count(pod: PlacedPod, by: 1 | -1): void {
    addAmounts(this.#requested, pod.requests, by);
    addAmounts(this.#presumed, pod.presumedRequests, by);
    for (const port of pod.hostPorts) this.ports.add(port, by);
  }
}
