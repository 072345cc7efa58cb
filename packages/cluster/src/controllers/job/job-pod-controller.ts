import { controllerOf, objectKey } from "@kaji/core";
import { byOwner } from "@kaji/informer";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Job } from "@kaji/types/batch/v1";
import { Pod } from "@kaji/types/core/v1";
import { isManagedElsewhere } from "./job-controller.ts";
import { finishedCondition } from "./job-ending.ts";
import { isTracked } from "./pod-tracking.ts";
import { releasePods } from "./release-pods.ts";

/** Removes the tracking finalizer from pods that the job controller no longer counts: their job is gone, or has ended. */
export const jobPodController: Controller = defineController(Pod, {
  name: "job-controller",
  indexes: [byOwner],
  predicates: [({ object }) => object !== undefined && isTracked(object)],
  watches: [
    watch(Job, {
      predicates: [({ object }) => object === undefined || finishedCondition(object) !== undefined],
      toKeys: ({ metadata }, reads) => reads.by(Pod, byOwner, metadata.uid ?? "").map((pod) => objectKey(pod.metadata)),
    }),
  ],
  selfVerbs: ["patch"],
  async reconcile(pod, { client, live, cache }) {
    if (!isTracked(pod)) return;
    const controller = controllerOf(pod);
    if (controller !== undefined) {
      if (controller.kind !== "Job" || !controller.apiVersion.startsWith("batch/")) return;
      const address = { namespace: pod.metadata.namespace ?? "", name: controller.name };
      const isCounting = (job: Job | undefined): boolean =>
        job !== undefined && job.metadata.uid === controller.uid && (finishedCondition(job) === undefined || isManagedElsewhere(job));
      // A cache may know the pod before its job.
      if (isCounting(cache.get(Job, address)) || isCounting(await live.get(Job, address))) return;
    }
    await releasePods([pod], { client });
  },
});
