import { quoteBytes } from "../go/go-quote.ts";
import { ParseError } from "../error/parse-error.ts";

const nanosOfUnit: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const second = 1_000_000_000n;
/** Beyond it a duration does not fit into Go's int64. Only a negative one may reach it. */
const limit = 2n ** 63n;

/** Reads Go's form of a duration, such as `1h30m` or `-1.5ms`, into nanoseconds; throws a `ParseError` in Go's words. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith("-");
  const signed = negative || text.startsWith("+");
  if (text === "0" || (signed && text.slice(1) === "0")) return 0n;
  if (text.length === (signed ? 1 : 0)) throw invalid("invalid duration", text);
  const part = /([0-9]*)(?:\.([0-9]*))?([^.0-9]*)/y;
  let total = 0n;
  for (part.lastIndex = signed ? 1 : 0; part.lastIndex < text.length;) {
    const [, integer = "", fraction = "", unit = ""] = part.exec(text) ?? [];
    total += parsePart(integer, fraction, unit, text);
    if (total > limit) throw invalid("invalid duration", text);
  }
  if (!negative && total === limit) throw invalid("invalid duration", text);
  return negative ? -total : total;
}

/** Writes nanoseconds as Go does: `1h30m0s`, `1.5s`, `2µs`, `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return "0s";
  if (nanos < 0n) return `-${formatDuration(-nanos)}`;
  if (nanos < 1_000n) return `${nanos}ns`;
  if (nanos < 1_000_000n) return `${decimal(nanos, 3)}µs`;
  if (nanos < second) return `${decimal(nanos, 6)}ms`;
  const minutes = nanos / (60n * second);
  const seconds = `${decimal(nanos % (60n * second), 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** A span of time as an author writes it: milliseconds, or text such as `30s` or `1h30m`. */
export type DurationLike = number | string;

/** The milliseconds of a span of time; refuses a negative one. */
export function durationMs(duration: DurationLike): number {
  const ms = typeof duration === "number" ? duration : Number(parseWritten(duration)) / 1e6;
  if (!(ms >= 0 && ms < Infinity)) throw new RangeError(`duration ${duration} is negative or not finite`);
  return ms;
}

/** Reads what an author wrote. Days are what one would expect there, and Go has none. */
function parseWritten(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const days = /^(\d+) ?d(?:ays?)?$/.exec(text)?.[1];
    const remedy = days === undefined ? "write 500ms, 30s, 5m or 1h30m" : `hours are the longest unit: ${24n * BigInt(days)}h`;
    throw new ParseError(`${error.message}; ${remedy}`);
  }
}

function parsePart(integer: string, fraction: string, unit: string, text: string): bigint {
  if (integer + fraction === "") throw invalid("invalid duration", text);
  const whole = BigInt(integer);
  if (whole > limit) throw invalid("invalid duration", text);
  if (unit === "") throw invalid("missing unit in duration", text);
  const nanos = nanosOfUnit.get(unit);
  if (nanos === undefined) throw invalid(`unknown unit ${quoteBytes(unit)} in duration`, text);
  if (whole > limit / nanos) throw invalid("invalid duration", text);
  const value = whole * nanos + fractionOf(fraction, nanos);
  if (value > limit) throw invalid("invalid duration", text);
  return value;
}

/** Go computes it in floating point, and stops reading digits when they no longer fit into 63 bits. */
function fractionOf(fraction: string, nanos: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const next = digits * 10n + BigInt(digit);
    if (digits > (limit - 1n) / 10n || next > limit) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(nanos) / scale)));
}

/** `nanos / 10^places`, without trailing zeros. */
function decimal(nanos: bigint, places: number): string {
  const digits = nanos.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  const integer = digits.slice(0, -places);
  return fraction === "" ? integer : `${integer}.${fraction}`;
}

function invalid(problem: string, text: string): ParseError {
  return new ParseError(`time: ${problem} ${quoteBytes(text)}`);
}
