import type { ConfigMap, Container, Node, PersistentVolumeClaim, Pod, Secret, Volume } from "@kaji/types/core/v1";
import { subPathProblem } from "./sub-path-problem.ts";

/** Where a pod's references lead. */
export interface ReferenceReads {
  configMap(namespace: string, name: string): ConfigMap | undefined;
  secret(namespace: string, name: string): Secret | undefined;
  node(name: string): Node | undefined;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
}

/** Says what pods refer to that is not there. */
export class MissingReferences {
  readonly #reads: ReferenceReads;

  constructor(reads: ReferenceReads) {
    this.#reads = reads;
  }

  /** Why a volume of a pod cannot be mounted; undefined if all can. */
  ofVolumes({ metadata, spec }: Pod): string | undefined {
    for (const volume of spec?.volumes ?? []) {
      const why = this.#ofVolume(volume, metadata.namespace ?? "");
      if (why !== undefined) return `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${why}`;
    }
    return undefined;
  }

  /** What of a container's environment is not there, or makes no path of which a volume is mounted; undefined if all is well. */
  ofContainer(pod: Pod, container: Container): string | undefined {
    return this.#ofEnvironment(pod, container) ?? subPathProblem(pod, container, this.#reads);
  }

  #ofEnvironment({ metadata: { namespace = "" } }: Pod, { env = [], envFrom = [] }: Container): string | undefined {
    for (const { configMapRef, secretRef } of envFrom) {
      const why = this.#ofConfigMap(namespace, configMapRef) ?? this.#ofSecret(namespace, secretRef);
      if (why !== undefined) return why;
    }
    for (const { valueFrom } of env) {
      const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
      const why =
        this.#ofConfigMap(namespace, configMapKeyRef, configMapKeyRef?.key) ?? this.#ofSecret(namespace, secretKeyRef, secretKeyRef?.key);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  #ofVolume({ configMap, secret, projected, persistentVolumeClaim }: Volume, namespace: string): string | undefined {
    const sources = [
      { configMap, secret: secret === undefined ? undefined : { ...secret, name: secret.secretName } },
      ...(projected?.sources ?? []),
    ];
    for (const source of sources) {
      const why =
        this.#ofConfigMap(namespace, source.configMap) ?? this.#ofSecret(namespace, source.secret) ?? this.#ofItems(namespace, source);
      if (why !== undefined) return why;
    }
    const claimName = persistentVolumeClaim?.claimName;
    if (claimName === undefined || (this.#reads.claim(namespace, claimName)?.spec?.volumeName ?? "") !== "") return undefined;
    return `PVC ${namespace}/${claimName} is not bound`;
  }

  /** A key that a volume is to show as a file. */
  #ofItems(namespace: string, { configMap, secret }: VolumeSource): string | undefined {
    const settings = configMap?.name === undefined ? undefined : this.#reads.configMap(namespace, configMap.name);
    const setting = missingItem(configMap, { ...settings?.data, ...settings?.binaryData });
    if (setting !== undefined) return `configmap references non-existent config key: ${setting}`;
    const item = missingItem(secret, secret?.name === undefined ? undefined : this.#reads.secret(namespace, secret.name)?.data);
    return item === undefined ? undefined : `references non-existent secret key: ${item}`;
  }

  #ofConfigMap(namespace: string, reference: Reference | undefined, key?: string): string | undefined {
    if (reference?.name === undefined || reference.optional === true) return undefined;
    const found = this.#reads.configMap(namespace, reference.name);
    if (found === undefined) return `configmap ${JSON.stringify(reference.name)} not found`;
    if (key === undefined || Object.hasOwn(found.data ?? {}, key) || Object.hasOwn(found.binaryData ?? {}, key)) return undefined;
    return `couldn't find key ${key} in ConfigMap ${namespace}/${reference.name}`;
  }

  #ofSecret(namespace: string, reference: Reference | undefined, key?: string): string | undefined {
    if (reference?.name === undefined || reference.optional === true) return undefined;
    const found = this.#reads.secret(namespace, reference.name);
    if (found === undefined) return `secret ${JSON.stringify(reference.name)} not found`;
    if (key === undefined || Object.hasOwn(found.data ?? {}, key)) return undefined;
    return `couldn't find key ${key} in Secret ${namespace}/${reference.name}`;
  }
}

/** Whether a pod may refer to objects that have to be there. */
export function refersToObjects({ spec }: Pod): boolean {
  const { volumes = [], initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  if (volumes.length > 0) return true;
  const all: readonly Pick<Container, "env" | "envFrom">[] = [...initContainers, ...containers, ...ephemeralContainers];
  return all.some(({ env = [], envFrom = [] }) => envFrom.length > 0 || env.some(({ valueFrom }) => valueFrom !== undefined));
}

function missingItem({ items = [], optional }: Reference = {}, data: Readonly<Record<string, string>> = {}): string | undefined {
  return optional === true ? undefined : items.find(({ key }) => !Object.hasOwn(data, key))?.key;
}

interface Reference {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  /** The keys that are meant. Default all. */
  readonly items?: readonly { readonly key: string }[] | undefined;
}

/** What a volume shows. */
interface VolumeSource {
  readonly configMap?: Reference | undefined;
  readonly secret?: Reference | undefined;
}
