import { Selector, compileSelector, controllerOf, parseApiVersion } from "@kaji/core";
import type { KubeObject, LabelRequirement, Labels, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Informer, Informers, Lister } from "@kaji/informer";
import { ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, ReplicationController, Service } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import { RareMirrors } from "../loops/rare-mirrors.ts";
import type { ClusterReads } from "./cluster-state.ts";
import type { PodInfo } from "./pod-info.ts";

/** The mirrors of all kinds that the scheduler looks at, until it is disposed of. What only some pods need is mirrored when the first of them comes. */
export class ClusterMirror implements ClusterReads, Disposable {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly namespaces: Informer<Namespace>;
  readonly #budgets: Informer<PodDisruptionBudget>;
  /** For pods with claims. */
  readonly #volumes: RareMirrors;
  /** For pods that have more than one node to choose from. */
  readonly #selecting: RareMirrors;
  readonly #leases = new DisposableStack();

  /** Calls back with each change of what pods with claims wait for. */
  constructor(informers: Informers, onVolumeChange: () => void) {
    const acquire = <T extends KubeObject>(resource: Resource<T>): Informer<T> => this.#leases.use(informers.acquire(resource)).informer;
    this.pods = acquire(Pod);
    this.nodes = acquire(Node);
    this.namespaces = acquire(Namespace);
    this.#budgets = acquire(PodDisruptionBudget);
    const volumeKinds = [PersistentVolumeClaim, PersistentVolume, StorageClass];
    this.#volumes = this.#leases.use(new RareMirrors(informers, volumeKinds, onVolumeChange));
    this.#selecting = this.#leases.use(new RareMirrors(informers, [Service, ReplicaSet, StatefulSet, ReplicationController]));
  }

  /** Resolves when everything is there for the first time that any pod needs. */
  async synced(): Promise<void> {
    await Promise.all([this.pods, this.nodes, this.namespaces, this.#budgets].map(({ synced }) => synced));
  }

  pod(key: ObjectKey): Pod | undefined {
    return this.pods.lister.get(key);
  }

  namespaceLabels(namespace: string): Labels {
    return this.namespaces.lister.get({ name: namespace })?.metadata.labels ?? {};
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#volumes.lister(PersistentVolumeClaim).get({ namespace, name });
  }

  volume(name: string): PersistentVolume | undefined {
    return name === "" ? undefined : this.#volumes.lister(PersistentVolume).get({ name });
  }

  volumes(): Iterable<PersistentVolume> {
    return this.#volumes.lister(PersistentVolume).list();
  }

  storageClass(name: string): StorageClass | undefined {
    return name === "" ? undefined : this.#volumes.lister(StorageClass).get({ name });
  }

  disruptionBudgets(namespace: string): Iterable<PodDisruptionBudget> {
    return this.#budgets.lister.list({ namespace });
  }

  siblings({ namespace, labels, pod }: PodInfo): Selector {
    const requirements: LabelRequirement[] = [];
    for (const { spec } of this.#selecting.lister(Service).list({ namespace })) {
      const selector = equalTo(spec?.selector ?? {});
      if (selector.requirements.length > 0 && selector.matches(labels)) requirements.push(...selector.requirements);
    }
    return Selector.of([...requirements, ...this.#ownerSelector(pod).requirements]);
  }

  [Symbol.dispose](): void {
    this.#leases.dispose();
  }

  #ownerSelector({ metadata }: Pod): Selector {
    const owner = controllerOf({ metadata });
    if (owner === undefined) return Selector.everything;
    const address = { namespace: metadata.namespace, name: owner.name };
    switch (`${parseApiVersion(owner.apiVersion).group}/${owner.kind}`) {
      case "apps/ReplicaSet":
        return selectorOf(this.#selecting.lister(ReplicaSet), address);
      case "apps/StatefulSet":
        return selectorOf(this.#selecting.lister(StatefulSet), address);
      case "/ReplicationController":
        return equalTo(this.#selecting.lister(ReplicationController).get(address)?.spec?.selector ?? {});
      default:
        return Selector.everything;
    }
  }
}

function selectorOf(
  lister: Lister<ReplicaSet> | Lister<StatefulSet>,
  address: { readonly namespace: string | undefined; readonly name: string },
): Selector {
  const owner: DeepReadonly<ReplicaSet | StatefulSet> | undefined = lister.get(address);
  return owner?.spec === undefined ? Selector.everything : compileSelector(owner.spec.selector);
}

function equalTo(labels: Labels): Selector {
  return Selector.of(Object.entries(labels).map(([key, value]) => ({ key, operator: "=", values: [value] })));
}
