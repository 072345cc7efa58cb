import { ErrorValue, Duration, Timestamp } from "./value.ts";

const timestampOverflow = new ErrorValue("timestamp overflow");
const intOverflow = new ErrorValue("integer overflow");
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
const billion = 1_000_000_000n;

/** The time that many seconds after 1970; an error outside the years 1 to 9999. */
export function timestampOf(seconds: number | bigint, nanos = 0, offsetSeconds = 0): Timestamp | ErrorValue {
  if (seconds < firstSecond || seconds > lastSecond) return timestampOverflow;
  return new Timestamp(Number(seconds), nanos, offsetSeconds);
}

/** The sum of two spans; an error when it does not fit into 64 bits. */
export function addDurations(left: bigint, right: bigint): Duration | ErrorValue {
  return durationOf(left + right);
}

/** Go is content with one digit of the hour. */
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Reads RFC 3339 as Go does; undefined when it is none. */
export function parseTimestamp(text: string): Timestamp | ErrorValue | undefined {
  const [all, year, month, day, hour, minute, second, fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = rfc3339.exec(text) ?? [];
  if (all === undefined) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || Number(offsetHour) > 24 || Number(offsetMinute) > 59)
    return undefined;
  const days = daysSince1970(Number(year), Number(month), Number(day));
  if (days === undefined) return undefined;
  const offset = (Number(offsetHour) * 3600 + Number(offsetMinute) * 60) * (sign === "-" ? -1 : 1);
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return timestampOf(seconds, Number(fraction.slice(0, 9).padEnd(9, "0")), offset);
}

/** Reads a date such as `2024-02-29`; undefined when it is none. */
export function parseDate(text: string): Timestamp | undefined {
  const [all, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const days = all === undefined ? undefined : daysSince1970(Number(year), Number(month), Number(day));
  return days === undefined ? undefined : new Timestamp(days * 86_400);
}

/** Writes RFC 3339 with as many digits of the second as are needed, in the offset of the time. */
export function formatTimestamp({ seconds, nanos, offsetSeconds }: Timestamp): string {
  const local = dateOf(seconds + offsetSeconds)
    .toISOString()
    .slice(0, 19);
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${local}${fraction}${offsetText(offsetSeconds)}`;
}

export function addDuration({ seconds, nanos, offsetSeconds }: Timestamp, duration: bigint): Timestamp | ErrorValue {
  const total = BigInt(seconds) * billion + BigInt(nanos) + duration;
  const rest = ((total % billion) + billion) % billion;
  return timestampOf((total - rest) / billion, Number(rest), offsetSeconds);
}

export function subtractTimestamp(left: Timestamp, right: Timestamp): Duration | ErrorValue {
  return durationOf(BigInt(left.seconds - right.seconds) * billion + BigInt(left.nanos - right.nanos));
}

function durationOf(nanos: bigint): Duration | ErrorValue {
  return BigInt.asIntN(64, nanos) === nanos ? new Duration(nanos) : intOverflow;
}

/** The calendar of a second since 1970, to be read with the UTC methods. */
export function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

/** Undefined when the calendar has no such day. */
function daysSince1970(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / 86_400_000 : undefined;
}

function offsetText(offsetSeconds: number): string {
  if (offsetSeconds === 0) return "Z";
  const minutes = Math.trunc(Math.abs(offsetSeconds) / 60);
  const [hour, minute] = [Math.trunc(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return `${offsetSeconds < 0 ? "-" : "+"}${hour}:${minute}`;
}
