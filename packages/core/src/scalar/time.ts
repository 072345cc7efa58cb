import { formatRfc3339, parseRfc3339 } from "./rfc3339.ts";
import type { Instant } from "./rfc3339.ts";

/** Reads a `Time`, such as `metadata.creationTimestamp`, into milliseconds since the epoch, as a `Clock` has them. */
export function parseTime(text: string): number {
  return msOf(parseRfc3339(text, "2006-01-02T15:04:05Z07:00"));
}

/** Writes milliseconds since the epoch as a `Time`: UTC, whole seconds. */
export function formatTime(epochMs: number): string {
  const instant = instantOf(epochMs);
  // Nearly all of them are the present one, and a second is long.
  if (instant.seconds !== lastTime.seconds) lastTime = { seconds: instant.seconds, text: formatRfc3339(instant, 0) };
  return lastTime.text;
}

let lastTime: { readonly seconds: number; readonly text: string } = { seconds: 0, text: "1970-01-01T00:00:00Z" };

/** Reads a `MicroTime`, such as a lease's `renewTime`, into milliseconds since the epoch; it must have six digits of fraction. */
export function parseMicroTime(text: string): number {
  return msOf(parseRfc3339(text, "2006-01-02T15:04:05.000000Z07:00"));
}

/** Writes milliseconds since the epoch as a `MicroTime`: UTC, microseconds. */
export function formatMicroTime(epochMs: number): string {
  const { seconds, nanos } = instantOf(epochMs);
  const minute = Math.floor(seconds / 60);
  // Most of them are of the same minute as the one before, such as the renewals of a lease.
  if (minute !== lastMinute.minute) {
    lastMinute = { minute, text: formatRfc3339({ seconds: minute * 60, nanos: 0 }, 0).slice(0, -"00Z".length) };
  }
  return `${lastMinute.text}${String(seconds - minute * 60).padStart(2, "0")}.${String(nanos / 1000).padStart(6, "0")}Z`;
}

let lastMinute: { readonly minute: number; readonly text: string } = { minute: 0, text: "1970-01-01T00:00:" };

/** A `Time` as an API server stores it; null for Go's zero time. */
export function canonicalTime(text: string): string | null {
  if (plainTime.test(text)) return text;
  const instant = parseRfc3339(text, "2006-01-02T15:04:05Z07:00");
  return isZero(instant) ? null : formatRfc3339(instant, 0);
}

/** A `MicroTime` as an API server stores it; null for Go's zero time. */
export function canonicalMicroTime(text: string): string | null {
  const instant = parseRfc3339(text, "2006-01-02T15:04:05.000000Z07:00");
  return isZero(instant) ? null : formatRfc3339(instant, 6);
}

/** A day that is in every year. */
const plainDay = String.raw`(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31`;

/** Times of which it is plain to see that they are as they would be written, and not zero, as nearly all are: what comes from a server was written by one. */
const plainTime = new RegExp(String.raw`^(?!0001-01-01T00:00:00Z)\d{4}-(?:${plainDay})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$`);

/** As ECMAScript limits its dates. */
const lastMsOfDate = 8.64e15;

/** Go's zero time is the beginning of year 1. */
function isZero({ seconds, nanos }: Instant): boolean {
  return seconds === -62_135_596_800 && nanos === 0;
}

function msOf({ seconds, nanos }: Instant): number {
  return seconds * 1000 + Math.floor(nanos / 1e6);
}

function instantOf(epochMs: number): Instant {
  if (!(Math.abs(epochMs) <= lastMsOfDate)) throw new RangeError(`${epochMs} is not a time in milliseconds`);
  const seconds = Math.floor(epochMs / 1000);
  return { seconds, nanos: Math.floor(epochMs - seconds * 1000) * 1e6 };
}
