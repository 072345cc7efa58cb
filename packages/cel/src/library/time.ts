import { declare, memberOverload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { durationType, intType, stringType, timestampType } from "../check/type.ts";
import { intOf } from "../value/int-arithmetic.ts";
import { inTimeZone } from "../value/time-zone.ts";
import { ErrorValue } from "../value/value.ts";
import type { Timestamp, Value } from "../value/value.ts";

const day = 86_400_000;

/** The parts of times and durations. */
export const time: readonly FunctionDeclaration[] = [
  calendar("getFullYear", (date) => date.getUTCFullYear()),
  calendar("getMonth", (date) => date.getUTCMonth()),
  calendar("getDayOfYear", (date) => Math.floor((date.getTime() - startOfYear(date)) / day)),
  calendar("getDayOfMonth", (date) => date.getUTCDate() - 1),
  calendar("getDate", (date) => date.getUTCDate()),
  calendar("getDayOfWeek", (date) => date.getUTCDay()),
  clock("getHours", (date) => date.getUTCHours(), 3_600_000_000_000n),
  clock("getMinutes", (date) => date.getUTCMinutes(), 60_000_000_000n),
  clock("getSeconds", (date) => date.getUTCSeconds(), 1_000_000_000n),
  clock("getMilliseconds", (date) => date.getUTCMilliseconds(), 1_000_000n),
];

function calendar(name: string, part: (date: Date) => number): FunctionDeclaration {
  const read = (timestamp: Timestamp, zone: string): Value => {
    const date = inTimeZone(timestamp, zone);
    return date instanceof ErrorValue ? date : part(date);
  };
  return declare(
    name,
    memberOverload(`timestamp_${name}`, [timestampType], intType, (timestamp) => read(timestamp, "UTC")),
    memberOverload(`timestamp_${name}_with_tz`, [timestampType, stringType], intType, read),
  );
}

/** A part of the time of day; of a duration, all of it in that unit. */
function clock(name: string, part: (date: Date) => number, unit: bigint): FunctionDeclaration {
  const { overloads } = calendar(name, part);
  return declare(
    name,
    ...overloads,
    memberOverload(`duration_${name}`, [durationType], intType, ({ nanos }) => intOf(nanos / unit)),
  );
}

function startOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return start.getTime();
}
