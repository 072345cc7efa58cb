import type { ContextOf, Owned } from "@kaji/runtime";
import type { Job } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";

/** What the reconcile of a job works with. */
export type JobContext = ContextOf<Job, readonly [Owned<Pod, never>]>;
