import { compileSelector, controllerOf } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import { Job } from "@kaji/types/batch/v1";
import { Pod } from "@kaji/types/core/v1";
import { claim } from "../ownership/claim.ts";
import { controllerReference } from "../ownership/controller-reference.ts";
import { strayPods } from "../ownership/stray-index.ts";
import type { JobContext } from "./job-context.ts";
import { trackingFinalizer } from "./pod-tracking.ts";

/** Adopts the pods that belong to a job and releases those that no longer do. Adopted pods get the tracking finalizer, which keeps them until they are counted. */
export async function claimJobPods(job: Job, { cache, client, live }: JobContext): Promise<void> {
  const { uid = "", namespace = "" } = job.metadata;
  const candidates: readonly Pod[] = [...cache.by(Pod, byOwner, uid), ...cache.by(Pod, strayPods, namespace)];
  await claim(candidates, {
    owner: job,
    reference: controllerReference(Job, job),
    selector: compileSelector(job.spec?.selector),
    fresh: () => live.get(Job, job.metadata),
    setOwners: ({ metadata }, ownerReferences) => {
      const others = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer);
      const isTaken = ownerReferences.some((owner) => owner.uid === uid);
      const finalizers = isTaken ? [...others, trackingFinalizer] : others;
      return client.mergePatch(Pod, metadata, {
        metadata: { uid: metadata.uid ?? "", resourceVersion: metadata.resourceVersion ?? "", ownerReferences, finalizers },
      });
    },
  });
}

/** The pods that a job controls, own writes included. */
export function podsOf(job: Job, { cache }: JobContext): readonly Pod[] {
  const { uid = "" } = job.metadata;
  const selector = compileSelector(job.spec?.selector);
  const pods: readonly Pod[] = [...cache.by(Pod, byOwner, uid)];
  return pods.filter((pod) => controllerOf(pod)?.uid === uid && selector.matches(pod.metadata.labels));
}
