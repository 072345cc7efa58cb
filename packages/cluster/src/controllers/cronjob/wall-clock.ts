/** A local time, in the fields of the calendar. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

/** Converts a time to the local time of a time zone. */
export type WallClock = (ms: number) => WallTime;

/** Converts times to the local time of a zone, such as `Europe/Berlin`. Throws a `RangeError` if there is no zone of that name. */
export function wallClock(timeZone: string): WallClock {
  if (timeZone === "" || timeZone === "UTC") return fieldsOf;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return fieldsOf(Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")));
  };
}

/** A time in RFC 3339 with the offset of the time zone: `2026-01-01T01:00:00+01:00`. */
export function formatWallTime(ms: number, wall: WallClock): string {
  const { year, month, day, hour, minute, second } = wall(ms);
  const shownMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const offset = Math.round((shownMs - Math.floor(ms / 1000) * 1000) / 60_000);
  const text = new Date(shownMs).toISOString().slice(0, "2026-01-01T00:00:00".length);
  if (offset === 0) return `${text}Z`;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${text}${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}

function fieldsOf(ms: number): WallTime {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  };
}
