import { Cron } from "croner";
import { errorMessage } from "kaji";

/** What is wrong with a schedule; undefined if nothing is. */
export function problemOf(schedule: string): string | undefined {
  try {
    parsed(schedule);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The last time of a schedule that is not after this one. */
export function lastDue(schedule: string, nowMs: number): number | undefined {
  const nextSecond = new Date((Math.floor(nowMs / 1000) + 1) * 1000);
  return parsed(schedule).previousRuns(1, nextSecond)[0]?.getTime();
}

/** The first time of a schedule after this one. */
export function nextDue(schedule: string, nowMs: number): number | undefined {
  return parsed(schedule).nextRun(new Date(nowMs))?.getTime();
}

function parsed(schedule: string): Cron {
  return new Cron(schedule, { timezone: "UTC", mode: "5-part", paused: true });
}
