import { parseDuration } from "@kaji/core";
import { wallClock } from "./wall-clock.ts";
import type { WallClock, WallTime } from "./wall-clock.ts";

/** When something is due. */
export interface Schedule {
  /** The first time after another; undefined if there is none within some years, as for February 30th. */
  next(afterMs: number): number | undefined;
  /** The last time that is due after one time and not after another; undefined if there is none. */
  last(afterMs: number, nowMs: number): number | undefined;
}

/** Reads a schedule that was found to be right, such as `0,30 8-18 * * mon-fri` or `@hourly`. Throws a `RangeError` if there is no such time zone. */
export function parseSchedule(text: string, timeZone = "UTC"): Schedule {
  const [, prefixZone, rest = ""] = /^(?:(?:CRON_)?TZ=(\S*)\s*)?(.*)$/.exec(text.trim()) ?? [];
  if (rest.startsWith("@every ")) return every(Math.max(1, Number(parseDuration(rest.slice("@every ".length)) / 1_000_000_000n)) * 1000);
  const fields = (descriptors[rest] ?? rest).split(/\s+/);
  const [minutes, hours, days, months, weekdays] = bounds.map((bound, index) => readField(fields[index] ?? "*", bound));
  const parts = { minutes: minutes ?? any, hours: hours ?? any, days: days ?? any, months: months ?? any, weekdays: weekdays ?? any };
  return calendar(parts, wallClock(prefixZone ?? timeZone));
}

const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it says nothing: a day is then decided by the other field of days alone. */
  readonly isAny: boolean;
}

const any: Field = { values: new Set(), isAny: true };

interface Bound {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const bounds: readonly Bound[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { least: 0, most: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

function readField(text: string, { least, most, names }: Bound): Field {
  const values = new Set<number>();
  let isAny = false;
  const read = (part: string): number => (names.includes(part.toLowerCase()) ? names.indexOf(part.toLowerCase()) : Number(part));
  for (const range of text.split(",")) {
    const [span = "", stepText = "1"] = range.split("/");
    const step = Number(stepText);
    const isAll = span === "*" || span === "?";
    const [from = "", to] = span.split("-");
    const first = isAll ? least : read(from);
    const last = isAll || (to === undefined && range.includes("/")) ? most : read(to ?? from);
    for (let value = first; value <= last; value += step) values.add(value);
    if (isAll && step <= 1) isAny = true;
  }
  return { values, isAny };
}

type Calendar = Readonly<Record<"minutes" | "hours" | "days" | "months" | "weekdays", Field>>;

const hourMs = 3_600_000;
const searchMs = 5 * 366 * 24 * hourMs;

function calendar(fields: Calendar, wall: WallClock): Schedule {
  const next = (afterMs: number): number | undefined => {
    const limitMs = afterMs + searchMs;
    for (let ms = Math.floor(afterMs / 60_000) * 60_000 + 60_000; ms < limitMs;) {
      const time = wall(ms);
      const nextMs = ms + skippedMs(fields, time);
      if (nextMs === ms) return ms;
      ms = nextMs;
    }
    return undefined;
  };
  return { next, last: (afterMs, nowMs) => lastOf(next, afterMs, nowMs) };
}

/** How far the schedule is surely not due from a local time on. Clocks may change on the way, so the skip of a day stops three hours early. */
function skippedMs({ minutes, hours, days, months, weekdays }: Calendar, time: WallTime): number {
  const toNextHour = hourMs - time.minute * 60_000;
  const toNextDay = Math.max(toNextHour, (24 - time.hour) * hourMs - time.minute * 60_000 - 3 * hourMs);
  const [isDay, isWeekday] = [days.values.has(time.day), weekdays.values.has(time.weekday)];
  if (!months.values.has(time.month)) return toNextDay;
  if (!(days.isAny || weekdays.isAny ? isDay && isWeekday : isDay || isWeekday)) return toNextDay;
  if (!hours.values.has(time.hour)) return toNextHour;
  const minute = [...minutes.values].filter((value) => value >= time.minute);
  return minute.length === 0 ? toNextHour : (Math.min(...minute) - time.minute) * 60_000;
}

/** Searches backwards in spans that grow fourfold, so that a CronJob that was idle for years costs no more. */
function lastOf(next: Schedule["next"], afterMs: number, nowMs: number): number | undefined {
  let lastMs: number | undefined;
  for (let spanMs = hourMs; lastMs === undefined; spanMs *= 4) {
    const fromMs = Math.max(afterMs, nowMs - spanMs);
    for (let ms = next(fromMs); ms !== undefined && ms <= nowMs; ms = next(ms)) lastMs = ms;
    if (fromMs === afterMs) break;
  }
  return lastMs;
}

function every(delayMs: number): Schedule {
  const next = (afterMs: number): number => Math.floor(afterMs / 1000) * 1000 + delayMs;
  return {
    next,
    last: (afterMs, nowMs) => {
      const firstMs = next(afterMs);
      return firstMs > nowMs ? undefined : firstMs + Math.floor((nowMs - firstMs) / delayMs) * delayMs;
    },
  };
}
