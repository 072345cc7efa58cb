import { aborted, objectKey, structuralEqual } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { fieldIndex } from "@kaji/informer";
import type { Index } from "@kaji/informer";
import { defineController, recheckAfter, watch } from "@kaji/runtime";
import type { CacheReads, Controller, Source } from "@kaji/runtime";
import { ConfigMap, Node, PersistentVolumeClaim, Pod, Secret } from "@kaji/types/core/v1";
import type { RareMirrors } from "../loops/rare-mirrors.ts";
import type { AddressPool } from "./address-pool.ts";
import type { DeferredResizes } from "./deferred-resizes.ts";
import type { ClaimRead, ExclusiveClaims } from "./exclusive-claims.ts";
import { allocatedPod, isResizePending } from "./in-place-resize.ts";
import { MissingReferences, refersToObjects } from "./missing-references.ts";
import type { ReferenceReads } from "./missing-references.ts";
import { rejectedStatus, whyRejected } from "./pod-admission.ts";
import type { Rejection } from "./pod-admission.ts";
import type { PodRuntime } from "./pod-runtime.ts";
import { syncPod } from "./pod-sync.ts";
import type { PodHost } from "./pod-sync.ts";
import type { WaitingPods } from "./waiting-pods.ts";

/** Pods by their address. */
export const byPodIp: Index<Pod> = fieldIndex(Pod, "status.podIP");

const byNode: Index<Pod> = fieldIndex(Pod, "spec.nodeName");

/** A node as its pods see it. */
export interface HostNode {
  readonly ip: string;
  readonly addresses: AddressPool;
}

/** What the lives of pods depend on. */
export interface PodLifecycleOptions {
  readonly runtime: PodRuntime;
  /** The node of that name; undefined if it is none of ours. */
  readonly node: (name: string) => HostNode | undefined;
  /** Where the controller records which pods wait. */
  readonly waiting: WaitingPods;
  /** Where it records which pods wait for room on their node. */
  readonly deferred: DeferredResizes;
  /** Where it looks up, and records, which pod has a volume for itself. */
  readonly claims: ExclusiveClaims;
  /** The objects that pods may refer to. */
  readonly referred: RareMirrors;
}

/** Leads the pods of all nodes through their lives, as the kubelet of each node would. */
export function podLifecycle({ runtime, node, waiting, deferred, claims, referred }: PodLifecycleOptions): Controller {
  return defineController(Pod, {
    name: "kubelet",
    concurrency: 32,
    needsLeader: false,
    selfVerbs: ["delete"],
    indexes: [byPodIp, byNode],
    predicates: [({ object }) => object !== undefined && node(object.spec?.nodeName ?? "") !== undefined],
    watches: [watch(Node, { toKeys: ({ metadata }) => deferred.on(metadata.name) })],
    sources: [changesOf(runtime)],
    async reconcile(found, { key, cache, client, clock, event }) {
      const host = node(found.spec?.nodeName ?? "");
      if (host === undefined) return undefined;
      const rejection = isUnchecked(found) ? rejectionOf(found, cache) : undefined;
      if (rejection !== undefined) {
        await client.updateStatus(Pod, { ...found, status: rejectedStatus(found, rejection) });
        event("Warning", rejection.reason, rejection.message);
        return undefined;
      }
      const claim: ClaimRead = (namespace, name) => referred.lister(PersistentVolumeClaim).get({ namespace, name });
      const references = new MissingReferences({
        configMap: (namespace, name) => referred.lister(ConfigMap).get({ namespace, name }),
        secret: (namespace, name) => referred.lister(Secret).get({ namespace, name }),
        node: (name) => cache.get(Node, { name }),
        claim,
      } satisfies ReferenceReads);
      for (let pod: DeepReadonly<Pod> | undefined = found; pod !== undefined; pod = ifSame(cache.get(Pod, key), found)) {
        if (refersToObjects(pod)) await referred.open();
        const nowMs = clock.now();
        const whyNoRoom = (wanted: Pod): Rejection | undefined => rejectionOf(wanted, cache);
        const podHost: PodHost = {
          nowMs,
          runtime,
          references,
          hostIp: host.ip,
          whyNoRoom,
          whyInUse: (wanted) => claims.take(wanted, claim),
          newPodIp: () => host.addresses.take(found.metadata.uid ?? ""),
        };
        const { status, wakeAtMs, notes, isStopped } = syncPod(pod, podHost);
        if (status.phase === "Pending" && pod.metadata.deletionTimestamp === undefined) waiting.add(key);
        else waiting.delete(key);
        deferred.set(key, pod.spec?.nodeName ?? "", isResizePending({ ...pod, status }));
        const isNew = !structuralEqual(status, pod.status);
        if (isNew) await client.updateStatus(Pod, { ...pod, status });
        for (const { type, reason, message } of notes) if (waiting.tell(key, message) || isNew) event(type, reason, message);
        if (isNew) continue;
        if (isStopped && hasGraceLeft(pod)) await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
        return wakeAtMs === undefined ? undefined : recheckAfter(Math.max(0, wakeAtMs - nowMs));
      }
      return undefined;
    },
  });
}

/** A pod, unless it is another than before: one that comes to have its name, such as the next of a StatefulSet, may be on another node, or on none yet. */
function ifSame(pod: DeepReadonly<Pod> | undefined, before: Pod): DeepReadonly<Pod> | undefined {
  return pod?.metadata.uid === before.metadata.uid ? pod : undefined;
}

/** Whether the server keeps a deleted pod for its containers to stop, rather than for finalizers alone. */
function hasGraceLeft({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) > 0;
}

/** Whether the scheduler has not checked that the pod fits on its node, because the user set `spec.nodeName`. */
function isUnchecked({ metadata, status }: Pod): boolean {
  const isNew = status?.phase === "Pending" && status.startTime === undefined && metadata.deletionTimestamp === undefined;
  return isNew && !(status.conditions ?? []).some(({ type }) => type === "PodScheduled");
}

function rejectionOf(pod: Pod, cache: CacheReads<Pod | Node>): Rejection | undefined {
  const name = pod.spec?.nodeName ?? "";
  const node = cache.get(Node, { name });
  if (node === undefined) return undefined;
  const others = cache.by(Pod, byNode, name).filter(({ metadata, status }) => metadata.uid !== pod.metadata.uid && isActive(status));
  return whyRejected(pod, node, others.map(allocatedPod));
}

/** Whether a pod takes up room on its node. */
function isActive(status: Pod["status"]): boolean {
  return status?.phase !== "Succeeded" && status?.phase !== "Failed" && status?.startTime !== undefined;
}

/** Enqueues the pods of which the runtime reports that their behaviour may have changed. */
function changesOf(runtime: PodRuntime): Source<Pod> {
  return {
    name: "runtime",
    run: async ({ signal, objects, enqueue }) => {
      using _changes = runtime.onChange((pod) => {
        if (pod !== undefined) enqueue(pod);
        else for (const { metadata } of objects()) enqueue(objectKey(metadata));
      });
      await aborted(signal);
    },
  };
}
