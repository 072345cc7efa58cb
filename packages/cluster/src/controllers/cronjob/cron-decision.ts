import { parseTime } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { CronJob } from "@kaji/types/batch/v1";
import { scheduleProblem } from "../../kinds/groups/batch/cron-schedule.ts";
import { jobName } from "./cron-run.ts";
import { parseSchedule } from "./schedule.ts";
import type { Schedule } from "./schedule.ts";

/** Something to say about a CronJob. */
export interface CronEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What is due now, and when to look again. */
export interface RunDecision {
  /** The time whose job is to be started; undefined if none is. */
  readonly dueMs?: number | undefined;
  /** When the next job is due; undefined if nothing will be while the CronJob is as it is. */
  readonly nextMs?: number | undefined;
  readonly events: readonly CronEvent[];
}

/** With more missed times than this, the user is warned. */
const manyMissed = 100;

/** Decides what a CronJob starts now, given what of its jobs is active. */
export function decideRun(cronJob: CronJob, nowMs: number): RunDecision {
  const { metadata, spec, status = {} } = cronJob;
  if (metadata.deletionTimestamp !== undefined) return { events: [] };
  const schedule = scheduleOf(cronJob);
  if (!("next" in schedule)) return { events: [schedule] };
  if (spec.suspend === true) return { events: [] };
  const sinceMs = parseTime(status.lastScheduleTime ?? metadata.creationTimestamp ?? "");
  const fromMs = Math.max(sinceMs, nowMs - (spec.startingDeadlineSeconds ?? Infinity) * 1000);
  const firstMs = schedule.next(fromMs);
  if (firstMs === undefined) {
    const message = `invalid schedule: ${spec.schedule} : time difference between two schedules is less than 1 second`;
    return { events: [warning("InvalidSchedule", message)] };
  }
  const dueMs = schedule.last(fromMs, nowMs);
  const nextMs = schedule.next(schedule.last(sinceMs, nowMs) ?? sinceMs);
  if (dueMs === undefined || isStarted(cronJob, dueMs)) return { nextMs, events: [] };
  const events = missedCount(schedule, firstMs, nowMs) > manyMissed ? [tooManyMissed] : [];
  const isBusy = spec.concurrencyPolicy === "Forbid" && (status.active ?? []).length > 0;
  return isBusy ? { nextMs, events: [...events, alreadyActive] } : { dueMs, nextMs, events };
}

const tooManyMissed: CronEvent = warning(
  "TooManyMissedTimes",
  "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
);

const alreadyActive: CronEvent = {
  type: "Normal",
  reason: "JobAlreadyActive",
  message: "Not starting job because prior execution is running and concurrency policy is Forbid",
};

/** The schedule, or what is to be said if there is none. */
function scheduleOf({ spec }: CronJob): Schedule | CronEvent {
  const problem = scheduleProblem(spec.schedule);
  if (problem !== undefined) return warning("UnparseableSchedule", `unparseable schedule: ${quote(spec.schedule)} : ${problem}`);
  try {
    return parseSchedule(spec.schedule, spec.timeZone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { timeZone = "" } = spec;
    return warning("UnknownTimeZone", `invalid timeZone: ${quote(timeZone)}: unknown time zone ${timeZone}`);
  }
}

function isStarted(cronJob: CronJob, dueMs: number): boolean {
  const { lastScheduleTime, active = [] } = cronJob.status ?? {};
  if (lastScheduleTime !== undefined && parseTime(lastScheduleTime) === dueMs) return true;
  return active.some(({ name }) => name === jobName(cronJob, dueMs));
}

/** About how many times have passed. */
function missedCount(schedule: Schedule, firstMs: number, nowMs: number): number {
  const secondMs = schedule.next(firstMs) ?? Infinity;
  return secondMs > nowMs ? 0 : Math.floor((nowMs - firstMs) / (secondMs - firstMs)) + 1;
}

function warning(reason: string, message: string): CronEvent {
  return { type: "Warning", reason, message };
}
