import type { KubeClient } from "@kaji/client";
import { controllerOf, parseApiVersion, unlessGone, withGroup } from "@kaji/core";
import type { OwnerReference, Resource } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { CacheReads } from "@kaji/runtime";
import { Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { ReplicationController } from "@kaji/types/core/v1";
import type { Pod } from "@kaji/types/core/v1";

/** The kinds that say how many pods they want, and are mirrored. */
export type ScaledKinds = Deployment | ReplicaSet | ReplicationController | StatefulSet;

const scaledKinds: ReadonlyMap<string, Resource<ScaledKinds>> = new Map<string, Resource<ScaledKinds>>(
  [Deployment, ReplicaSet, ReplicationController, StatefulSet].map((resource) => [withGroup(resource.kind, resource.group), resource]),
);

/** How many pods a controller wants. */
export interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/** Where it is read how many pods controllers want. */
export interface ScaleReads {
  readonly cache: CacheReads<ScaledKinds | Pod>;
  /** For kinds that are not mirrored. */
  readonly client: Pick<KubeClient, "discovery" | "getScale">;
  readonly signal: AbortSignal;
}

/** How many pods the controller of a pod wants, or for a ReplicaSet its Deployment; undefined if it is gone. Throws if its kind does not say that. */
export async function controllerScale(
  controller: OwnerReference,
  namespace: string,
  { cache, client, signal }: ScaleReads,
): Promise<ControllerScale | undefined> {
  const mirrored = mirroredController(controller, namespace, cache);
  if (mirrored?.metadata.uid !== undefined) return { uid: mirrored.metadata.uid, replicas: mirrored.spec?.replicas ?? 1 };
  const { apiVersion, kind, name, uid } = controller;
  const resource = await unlessGone(client.discovery.resourceOf(controller, signal));
  if (resource === undefined) throw new Error(`no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`);
  const scale = await unlessGone(client.getScale(resource, { namespace, name }, { signal }));
  if (scale === undefined && !resource.subresources.includes("scale")) {
    throw new Error(`${withGroup(resource.plural, resource.group)} does not implement the scale subresource`);
  }
  return scale?.metadata.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
}

function mirroredController(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  cache: CacheReads<ScaledKinds | Pod>,
): ScaledKinds | undefined {
  const resource = scaledKinds.get(withGroup(kind, parseApiVersion(apiVersion).group));
  const found = resource === undefined ? undefined : cache.get(resource, { namespace, name });
  if (found?.metadata.uid !== uid) return undefined;
  const parent = resource === ReplicaSet ? controllerOf(found) : undefined;
  return parent?.kind === "Deployment" ? mirroredController(parent, namespace, cache) : found;
}
