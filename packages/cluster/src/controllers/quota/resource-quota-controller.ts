import { Quantity, objectKey, objectOf, structuralEqual } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { CacheReads, Controller, MappingReads, ObjectChange, Watched } from "@kaji/runtime";
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kaji/types/apps/v1";
import { CronJob, Job } from "@kaji/types/batch/v1";
import { ConfigMap, PersistentVolumeClaim, Pod, ReplicationController, ResourceQuota, Secret, Service } from "@kaji/types/core/v1";
import { Ingress } from "@kaji/types/networking/v1";
import { isInScopes } from "../../admission/quota-scopes.ts";
import { quotaUsage } from "../../admission/quota-usage.ts";
import { hasPodEnded } from "../pods/pod-state.ts";

/** A regular recount corrects what admission charged for objects that were then not created. */
const resyncMs = 300_000;

/** The kinds that are counted here; for others the charges of admission stand. */
const countedKinds: readonly Resource[] = [
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  Ingress,
  Job,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  StatefulSet,
];

/** Counts what the objects of a namespace use of each ResourceQuota. Admission charges what is created, so a recount follows only when something is deleted or ends. */
export const resourceQuotaController: Controller = defineController(ResourceQuota, {
  name: "resourcequota-controller",
  predicates: [hasOtherLimits],
  watches: countedKinds.map((kind): Watched<KubeObject, never> => watch(kind, { predicates: [isFreed], toKeys: quotasOf })),
  concurrency: 5,
  async reconcile(quota, { cache, client, clock }) {
    const { hard = {} } = quota.spec ?? {};
    const used = usedOf(quota, Object.keys(hard), cache, clock.now());
    if (!structuralEqual(quota.status?.hard ?? {}, hard) || !isSame(quota.status?.used ?? {}, used)) {
      const shown = Object.fromEntries(used.entries().map(([name, amount]) => [name, amount.toString()]));
      await client.updateStatus(ResourceQuota, { ...quota, status: { hard, used: shown } });
    }
    return recheckAfter(resyncMs);
  },
});

function usedOf(
  quota: ResourceQuota,
  resources: readonly string[],
  cache: CacheReads<KubeObject>,
  nowMs: number,
): ReadonlyMap<string, Quantity> {
  const used = new Map(resources.map((name) => [name, Quantity.zero]));
  const counted = new Set<string>();
  for (const kind of countedKinds) {
    const usage = quotaUsage(kind);
    const own = resources.filter((name) => usage?.counts(name));
    if (usage === undefined || own.length === 0) continue;
    for (const name of own) counted.add(name);
    for (const each of cache.list(kind, { namespace: quota.metadata.namespace ?? "" })) {
      const object = objectOf(each);
      if (!isInScopes(objectOf(quota), kind.plural, object)) continue;
      const amounts = usage.of(object, nowMs);
      for (const name of own) used.set(name, (used.get(name) ?? Quantity.zero).add(amounts.get(name) ?? Quantity.zero));
    }
  }
  for (const name of resources) if (!counted.has(name)) used.set(name, Quantity.parse(quota.status?.used?.[name] ?? "0"));
  return used;
}

function isSame(present: Readonly<Record<string, string>>, used: ReadonlyMap<string, Quantity>): boolean {
  const names = Object.keys(present);
  return names.length === used.size && names.every((name) => used.get(name)?.equals(Quantity.parse(present[name] ?? "0")));
}

/** Whether the limits changed. A charge by admission is no reason for a recount: the object that it charged for is not stored yet. */
function hasOtherLimits({ object, previous }: ObjectChange<ResourceQuota>): boolean {
  return (
    previous === undefined || !structuralEqual(object?.spec, previous.spec) || !structuralEqual(object?.spec?.hard, object?.status?.hard)
  );
}

/** Whether something uses less than before: it is gone, or a pod has ended. */
function isFreed({ object, previous }: ObjectChange<KubeObject>): boolean {
  if (object === undefined || previous === undefined) return object === undefined;
  if (object.kind === "Pod") return hasPodEnded(object as Pod) && !hasPodEnded(previous as Pod);
  return object.kind === "Service" && !structuralEqual((object as Service).spec, (previous as Service).spec);
}

function* quotasOf({ metadata }: KubeObject, reads: MappingReads): Generator<ObjectKey> {
  const { namespace } = metadata;
  if (namespace === undefined) return;
  for (const quota of reads.list(ResourceQuota, { namespace })) yield objectKey(quota.metadata);
}
