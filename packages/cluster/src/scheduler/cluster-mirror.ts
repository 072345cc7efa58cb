import { Selector, compileSelector, controllerOf, parseApiVersion } from "@kaji/core";
import type { KubeObject, LabelRequirement, Labels, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Informer, Informers, Lister } from "@kaji/informer";
import { ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, ReplicationController, Service } from "@kaji/types/core/v1";
import { PodDisruptionBudget } from "@kaji/types/policy/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import type { ClusterReads } from "./cluster-state.ts";
import type { PodInfo } from "./pod-info.ts";

/** The mirrors of all kinds that the scheduler looks at, until it is disposed of. */
export class ClusterMirror implements ClusterReads, Disposable {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly namespaces: Informer<Namespace>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly persistentVolumes: Informer<PersistentVolume>;
  readonly storageClasses: Informer<StorageClass>;
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #services: Informer<Service>;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #statefulSets: Informer<StatefulSet>;
  readonly #replicationControllers: Informer<ReplicationController>;
  readonly #leases = new DisposableStack();

  constructor(informers: Informers) {
    const acquire = <T extends KubeObject>(resource: Resource<T>): Informer<T> => this.#leases.use(informers.acquire(resource)).informer;
    this.pods = acquire(Pod);
    this.nodes = acquire(Node);
    this.namespaces = acquire(Namespace);
    this.claims = acquire(PersistentVolumeClaim);
    this.persistentVolumes = acquire(PersistentVolume);
    this.storageClasses = acquire(StorageClass);
    this.#budgets = acquire(PodDisruptionBudget);
    this.#services = acquire(Service);
    this.#replicaSets = acquire(ReplicaSet);
    this.#statefulSets = acquire(StatefulSet);
    this.#replicationControllers = acquire(ReplicationController);
  }

  /** Resolves when everything is there for the first time. */
  async synced(): Promise<void> {
    const volumes = [this.claims, this.persistentVolumes, this.storageClasses];
    const owners = [this.#services, this.#replicaSets, this.#statefulSets, this.#replicationControllers];
    const all = [this.pods, this.nodes, this.namespaces, this.#budgets, ...volumes, ...owners];
    await Promise.all(all.map(({ synced }) => synced));
  }

  pod(key: ObjectKey): Pod | undefined {
    return this.pods.lister.get(key);
  }

  namespaceLabels(namespace: string): Labels {
    return this.namespaces.lister.get({ name: namespace })?.metadata.labels ?? {};
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.claims.lister.get({ namespace, name });
  }

  volume(name: string): PersistentVolume | undefined {
    return name === "" ? undefined : this.persistentVolumes.lister.get({ name });
  }

  volumes(): Iterable<PersistentVolume> {
    return this.persistentVolumes.lister.list();
  }

  storageClass(name: string): StorageClass | undefined {
    return name === "" ? undefined : this.storageClasses.lister.get({ name });
  }

  disruptionBudgets(namespace: string): Iterable<PodDisruptionBudget> {
    return this.#budgets.lister.list({ namespace });
  }

  siblings({ namespace, labels, pod }: PodInfo): Selector {
    const requirements: LabelRequirement[] = [];
    for (const { spec } of this.#services.lister.list({ namespace })) {
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
        return selectorOf(this.#replicaSets.lister, address);
      case "apps/StatefulSet":
        return selectorOf(this.#statefulSets.lister, address);
      case "/ReplicationController":
        return equalTo(this.#replicationControllers.lister.get(address)?.spec?.selector ?? {});
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
