import { Quantity, objectKey, objectOf, structuralEqual } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { metadataOf } from "@kaji/informer";
import type { View } from "@kaji/informer";
import { defineController, recheckAfter, runController, watch } from "@kaji/runtime";
import type { CacheReads, Controller, ControllerEnvironment, MappingReads, ObjectChange, RunningController, Watched } from "@kaji/runtime";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ResourceQuota } from "@kaji/types/core/v1";
import type { Pod, Service } from "@kaji/types/core/v1";
import { isInScopes } from "../../admission/quota-scopes.ts";
import { countedKind, quotaUsage } from "../../admission/quota-usage.ts";
import type { ConcernedKinds } from "../../loops/concerned-kinds.ts";
import { hasPodEnded } from "../pods/pod-state.ts";
import { CountedKinds } from "./counted-kinds.ts";

/** A regular recount corrects what admission charged for objects that were then not created. */
const resyncMs = 300_000;

/** Counts what the objects of a namespace use of each ResourceQuota. Admission charges what is created, so a recount follows only when something is deleted or ends. */
export function startResourceQuotaController(environment: ControllerEnvironment): RunningController {
  const kinds = new CountedKinds(environment.client.discovery, environment.clock, {
    follow: (view) => running.watch(watch(view, { predicates: [isFreed], toKeys: quotasOf })),
    isFailing: (resource) => running.mirrored.some((mirrored) => mirrored.resource === resource && mirrored.state.type === "Failing"),
  });
  const running = runController(createResourceQuotaController(kinds), environment);
  return running;
}

/** Any kind may be one that a quota names, and any definition one of such a kind. */
export const resourceQuotaKinds: ConcernedKinds = {
  own: ResourceQuota,
  others: [CustomResourceDefinition],
  counts: hasOtherLimits,
  named: kindsOf,
};

function createResourceQuotaController(kinds: CountedKinds): Controller {
  // The type is that of all that is watched once quotas name it.
  const definitions: Watched<KubeObject, never> = watch<KubeObject>(metadataOf(CustomResourceDefinition), {
    toKeys: ({ metadata: { name } }, reads) => {
      if (kinds.isFollowed(name)) return [];
      const naming = reads.list(ResourceQuota).filter((quota) => kindsOf(quota).has(name));
      return naming.map(({ metadata }) => objectKey(metadata));
    },
  });
  return defineController(ResourceQuota, {
    name: "resourcequota-controller",
    predicates: [hasOtherLimits],
    watches: [definitions],
    concurrency: 5,
    fieldManager: "kube-controller-manager",
    async reconcile(quota, { cache, client, clock, signal }) {
      const { hard = {} } = quota.spec ?? {};
      kinds.keepOnly(new Set(cache.list(ResourceQuota).flatMap(kindsOf)));
      const views = await kinds.readable(kindsOf(quota), signal);
      const used = usedOf(quota, views, cache, clock.now());
      if (!structuralEqual(quota.status?.hard ?? {}, hard) || !isSame(quota.status?.used ?? {}, used)) {
        const shown = Object.fromEntries(used.entries().map(([name, amount]) => [name, amount.toString()]));
        await client.updateStatus(ResourceQuota, { ...quota, status: { hard, used: shown } });
      }
      return recheckAfter(resyncMs);
    },
  });
}

/** The names of the kinds whose objects a quota limits. */
function kindsOf({ spec }: DeepReadonly<ResourceQuota>): ReadonlySet<string> {
  return new Set(Object.keys(spec?.hard ?? {}).flatMap((resource) => countedKind(resource) ?? []));
}

/** What objects use of each resource. What cannot be counted is taken to be as before. */
function usedOf(
  quota: ResourceQuota,
  views: readonly View<KubeObject>[],
  cache: CacheReads<KubeObject>,
  nowMs: number,
): ReadonlyMap<string, Quantity> {
  const resources = Object.keys(quota.spec?.hard ?? {});
  const used = new Map(resources.map((name) => [name, Quantity.parse(quota.status?.used?.[name] ?? "0")]));
  for (const view of views) {
    const usage = quotaUsage(view.resource);
    if (usage === undefined) continue;
    const own = resources.filter((name) => usage.counts(name));
    for (const name of own) used.set(name, Quantity.zero);
    for (const each of cache.list(view, { namespace: quota.metadata.namespace ?? "" })) {
      const object = objectOf(each);
      if (!isInScopes(objectOf(quota), view.resource.plural, object)) continue;
      const amounts = usage.of(object, nowMs);
      for (const name of own) used.set(name, (used.get(name) ?? Quantity.zero).add(amounts.get(name) ?? Quantity.zero));
    }
  }
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

/** Whether something may use less than before: it is gone, a pod has ended, or it asks for something else. */
function isFreed({ object, previous }: ObjectChange<KubeObject>): boolean {
  if (object === undefined || previous === undefined) return object === undefined;
  if (object.kind === "Pod") return !structuralEqual(countedFacts(object as Pod), countedFacts(previous as Pod));
  return object.kind === "Service" && !structuralEqual((object as Service).spec, (previous as Service).spec);
}

function countedFacts(pod: Pod): readonly unknown[] {
  const { containers, initContainers, resources, activeDeadlineSeconds } = pod.spec ?? {};
  return [hasPodEnded(pod), containers, initContainers, resources, activeDeadlineSeconds];
}

function* quotasOf({ metadata }: KubeObject, reads: MappingReads): Generator<ObjectKey> {
  const { namespace } = metadata;
  if (namespace === undefined) return;
  for (const quota of reads.list(ResourceQuota, { namespace })) yield objectKey(quota.metadata);
}
