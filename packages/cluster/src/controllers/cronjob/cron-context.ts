import type { ContextOf, Owned } from "@kaji/runtime";
import type { CronJob, Job } from "@kaji/types/batch/v1";

/** What the reconcile of a CronJob works with. */
export type CronContext = ContextOf<CronJob, readonly [Owned<Job, never>]>;
