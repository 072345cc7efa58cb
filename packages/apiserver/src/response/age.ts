const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** How long ago a moment was, as kubectl shows it: two units at most, the smaller one only while it matters. */
export function formatAge(since: string | undefined, nowMs: number): string {
  const sinceMs = since === undefined ? Number.NaN : Date.parse(since);
  return Number.isNaN(sinceMs) ? "<unknown>" : formatSeconds(Math.trunc((nowMs - sinceMs) / 1000));
}

/** A span of whole seconds in kubectl's words. */
export function formatSeconds(seconds: number): string {
  if (seconds < -1) return "<invalid>";
  if (seconds < 2 * minute) return `${Math.max(0, seconds)}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, [minute, "m"], [1, "s"]);
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, [hour, "h"], [minute, "m"]);
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, [day, "d"], [hour, "h"]);
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, [year, "y"], [day, "d"]);
  return `${Math.trunc(seconds / year)}y`;
}

type Unit = readonly [seconds: number, letter: string];

function twoUnits(seconds: number, [large, largeLetter]: Unit, [small, smallLetter]: Unit): string {
  const rest = Math.trunc((seconds % large) / small);
  return `${Math.trunc(seconds / large)}${largeLetter}${rest === 0 ? "" : `${rest}${smallLetter}`}`;
}
