import { Selector } from "@kaji/core";
import type { Labels } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, PodSpec } from "@kaji/types/core/v1";
import type { PodDisruptionBudget } from "@kaji/types/policy/v1";
import type { StorageClass } from "@kaji/types/storage/v1";
import { ClusterState } from "../cluster-state.ts";
import type { ClusterReads } from "../cluster-state.ts";
import { podInfo } from "../pod-info.ts";
import type { PodInfo } from "../pod-info.ts";
import { schedule } from "../schedule.ts";
import type { NodeDraft } from "./scheduler-rig.ts";

/** What is worth stating of a pod. */
export interface PodDraft extends Partial<PodSpec> {
  readonly labels?: Labels;
  readonly namespace?: string;
  readonly requests?: Readonly<Record<string, string>>;
  readonly isTerminating?: boolean;
  readonly nominatedNode?: string;
}

/** A cluster in memory, without a server: nodes, and pods on them. */
export class ClusterBuilder implements ClusterReads {
  readonly state: ClusterState = new ClusterState(this);
  readonly namespaces: Map<string, Labels> = new Map();
  readonly claims: Map<string, PersistentVolumeClaim> = new Map();
  readonly persistentVolumes: PersistentVolume[] = [];
  readonly classes: StorageClass[] = [];
  readonly budgets: PodDisruptionBudget[] = [];
  /** What selects every pod, if anything does. */
  selector: Selector = Selector.everything;

  node(name: string, { labels, allocatable, spec = {} }: NodeDraft = {}): this {
    this.state.setNode(nodeObject(name, { labels: { "kubernetes.io/hostname": name, ...labels }, spec, allocatable: { ...allocatable } }));
    return this;
  }

  place(node: string, pod: PodInfo): this {
    this.state.place(pod, node);
    return this;
  }

  /** The node that a pod is given, or why it is given none. */
  decide(pod: PodInfo): string {
    const decision = schedule(pod, this.state, seededRandom(1));
    return decision.type === "Node" ? decision.node : decision.diagnosis.message();
  }

  namespaceLabels(namespace: string): Labels {
    return this.namespaces.get(namespace) ?? {};
  }

  claim(_namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.claims.get(name);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.persistentVolumes.find(({ metadata }) => metadata.name === name);
  }

  volumes(): Iterable<PersistentVolume> {
    return this.persistentVolumes;
  }

  storageClass(name: string): StorageClass | undefined {
    return this.classes.find(({ metadata }) => metadata.name === name);
  }

  disruptionBudgets(): Iterable<PodDisruptionBudget> {
    return this.budgets;
  }

  siblings(): Selector {
    return this.selector;
  }
}

/** A pod as the scheduler sees it. Its name is its uid. */
export function pod(name: string, draft: PodDraft = {}): PodInfo {
  const { labels = {}, namespace = "default", requests, isTerminating = false, nominatedNode, ...spec } = draft;
  const deletion = isTerminating ? { deletionTimestamp: "2026-01-01T00:00:30Z" } : {};
  const object: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, uid: name, labels, ...deletion },
    spec: { containers: [{ name: "main", ...(requests === undefined ? {} : { resources: { requests } }) }], ...spec },
    status: nominatedNode === undefined ? {} : { nominatedNodeName: nominatedNode },
  };
  return podInfo(object);
}

function nodeObject(name: string, { labels = {}, allocatable, spec = {} }: NodeDraft): Node {
  const resources = { cpu: "4", memory: "8Gi", pods: "110", ...allocatable };
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec, status: { allocatable: resources } };
}
