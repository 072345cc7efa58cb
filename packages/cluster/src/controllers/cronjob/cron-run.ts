import { formatApiVersion } from "@kaji/core";
import type { Draft } from "@kaji/core";
import { CronJob, Job } from "@kaji/types/batch/v1";
import type { ObjectReference } from "@kaji/types/core/v1";
import { controllerReference } from "../ownership/controller-reference.ts";
import { formatWallTime, wallClock } from "./wall-clock.ts";

const scheduledAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** The name of the job of a time. */
export function jobName({ metadata }: CronJob, dueMs: number): string {
  return `${metadata.name}-${Math.floor(dueMs / 60_000)}`;
}

/** The job of a time. */
export function jobFor(cronJob: CronJob, dueMs: number): Draft<Job> & { readonly metadata: { readonly name: string } } {
  const { jobTemplate, timeZone = "UTC" } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  return {
    metadata: {
      name: jobName(cronJob, dueMs),
      namespace: cronJob.metadata.namespace ?? "",
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, [scheduledAnnotation]: formatWallTime(dueMs, wallClock(timeZone)) },
      ownerReferences: [controllerReference(CronJob, cronJob)],
    },
    ...(jobTemplate.spec === undefined ? {} : { spec: jobTemplate.spec }),
  };
}

/** How a status names a job. */
export function referenceTo({ metadata }: Job): ObjectReference {
  const { namespace = "", name, uid = "", resourceVersion = "" } = metadata;
  return { apiVersion: formatApiVersion(Job), kind: Job.kind, namespace, name, uid, resourceVersion };
}
