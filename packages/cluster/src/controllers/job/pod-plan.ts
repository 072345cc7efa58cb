import type { Job } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";
import { rankForDeletion } from "../pods/pod-ranking.ts";
import { hasLimitPerIndex } from "./index-failures.ts";
import { backoffLeftMs, indexBackoffLeftMs } from "./job-backoff.ts";
import { indexOf, isIndexed } from "./job-indexes.ts";
import { indexesOf } from "./job-tally.ts";
import type { JobTally } from "./job-tally.ts";
import { replacesOnlyFailed } from "./pod-tracking.ts";

/** No more pods are created or deleted in one go. */
const burst = 500;

/** What to do about the number of pods of a job that goes on. */
export interface PodPlan {
  readonly deletions: readonly Pod[];
  /** The index of each pod to create, or undefined for pods without. */
  readonly creations: readonly (number | undefined)[];
  /** After how long there will be more to do by itself; undefined if nothing waits. */
  readonly waitMs: number | undefined;
}

/** Plans either deletions or creations; those come first. */
export function planPods(job: Job, tally: JobTally, nowMs: number): PodPlan {
  const { active } = tally;
  const wanted = job.spec?.suspend === true ? 0 : wantedActive(job, tally);
  const surplus = surplusPods(job, active, Math.max(0, active.length - wanted), nowMs);
  if (surplus.length > 0) return { deletions: surplus.slice(0, burst), creations: [], waitMs: undefined };
  const ending = replacesOnlyFailed(job) ? tally.terminating.length : 0;
  const missing = Math.min(burst, wanted - ending - active.length);
  return missing > 0 ? planCreations(job, tally, missing, nowMs) : nothing;
}

const nothing: PodPlan = { deletions: [], creations: [], waitMs: undefined };

/** A job without a number of completions needs one success, and then waits for the others to end. */
function wantedActive({ spec }: Job, { active, succeeded }: JobTally): number {
  const { completions, parallelism = 1 } = spec ?? {};
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

function planCreations(job: Job, tally: JobTally, missing: number, nowMs: number): PodPlan {
  if (!hasLimitPerIndex(job)) {
    const waitMs = backoffLeftMs(job, tally.pods, nowMs);
    if (waitMs > 0) return { ...nothing, waitMs };
    const creations = isIndexed(job) ? pendingIndexes(job, tally, missing) : Array.from({ length: missing }, () => undefined);
    return { ...nothing, creations };
  }
  const waits = pendingIndexes(job, tally, missing).map((index) => ({
    index,
    waitMs: indexBackoffLeftMs(tally.predecessors.get(index), nowMs),
  }));
  const creations = waits.filter(({ waitMs }) => waitMs === 0).map(({ index }) => index);
  const later = waits.filter(({ waitMs }) => waitMs > 0).map(({ waitMs }) => waitMs);
  return { ...nothing, creations, waitMs: later.length === 0 ? undefined : Math.min(...later) };
}

/** The first indexes that have neither ended nor a pod. */
function pendingIndexes(job: Job, tally: JobTally, count: number): readonly number[] {
  const taken = tally.succeededIndexes
    .union(tally.failedIndexes)
    .union(indexesOf(tally.active, job))
    .union(replacesOnlyFailed(job) ? indexesOf(tally.terminating, job) : new Set<number>());
  const pending: number[] = [];
  for (let index = 0; index < (job.spec?.completions ?? 0) && pending.length < count; index++) {
    if (!taken.has(index)) pending.push(index);
  }
  return pending;
}

/** At least so many pods: those first whose index is none of the job's or has another pod too. */
function surplusPods(job: Job, active: readonly Pod[], atLeast: number, nowMs: number): readonly Pod[] {
  const ranked = rankForDeletion(active, [], nowMs);
  const best = new Map(ranked.map((pod) => [indexOf(pod, job), pod]));
  const isSpare = (pod: Pod): boolean => isIndexed(job) && (indexOf(pod, job) === undefined || best.get(indexOf(pod, job)) !== pod);
  const spare = ranked.filter(isSpare);
  const others = ranked.filter((pod) => !isSpare(pod));
  return [...spare, ...others.slice(0, Math.max(0, atLeast - spare.length))];
}
