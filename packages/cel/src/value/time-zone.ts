import { quote } from "@kaji/core/go";
import { dateOf } from "./timestamp.ts";
import { ErrorValue } from "./value.ts";
import type { Timestamp } from "./value.ts";

/** The calendar and clock at a time in a zone, to be read with the UTC methods. The zone is a name, or an offset such as `-08:00`. */
export function inTimeZone({ seconds, nanos }: Timestamp, zone: string): Date | ErrorValue {
  const at = seconds * 1000 + Math.trunc(nanos / 1_000_000);
  if (zone === "UTC" || zone === "") return new Date(at);
  if (!zone.includes(":")) return inNamedZone(at, zone);
  const [hours = "", minutes = ""] = splitOnce(zone);
  const [hour, minute] = [wholeNumber(hours), wholeNumber(minutes)];
  if (hour instanceof ErrorValue) return hour;
  if (minute instanceof ErrorValue) return minute;
  const offset = zone.startsWith("-") ? hour * 60 - minute : hour * 60 + minute;
  return new Date(at + offset * 60_000);
}

function inNamedZone(at: number, zone: string): Date | ErrorValue {
  if (/\.\.|^[/\\]/.test(zone)) return new ErrorValue("time: invalid location name");
  const format = formatOf(zone);
  if (format === undefined) return new ErrorValue(`unknown time zone ${zone}`);
  const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = dateOf(0);
  local.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  local.setUTCHours(part("hour"), part("minute"), part("second"), ((at % 1000) + 1000) % 1000);
  return local;
}

/** Go finds zones by the names of files, which no offset is and in which capitals count. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Z]/.test(zone)) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, ...numeric });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const numeric = {
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;

function splitOnce(zone: string): readonly string[] {
  const colon = zone.indexOf(":");
  return [zone.slice(0, colon), zone.slice(colon + 1)];
}

function wholeNumber(text: string): number | ErrorValue {
  return /^[+-]?\d+$/.test(text) ? Number(text) : new ErrorValue(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
}
