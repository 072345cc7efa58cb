import { quoteBytes } from "../go/go-quote.ts";
import { ParseError } from "../error/parse-error.ts";

/** A moment: whole seconds since the Unix epoch, and the nanoseconds that follow them. */
export interface Instant {
  readonly seconds: number;
  /** From 0 up to 999,999,999, also before the epoch. */
  readonly nanos: number;
}

/** Go's names for the forms of a time: the first may have a fraction of any length, the second has six digits, the third has no offset. */
export type TimeLayout = "2006-01-02T15:04:05Z07:00" | "2006-01-02T15:04:05.000000Z07:00" | "2006-01-02T15:04:05";

/**
 * Reads a time as Go's `time.Parse` does, with its leniency (`T1:02`, a comma before the fraction, an offset of 24:00) and,
 * in a `ParseError`, with its words.
 */
export function parseRfc3339(text: string, layout: TimeLayout): Instant {
  const scanner = new TimeScanner(text, layout);
  const year = scanner.number("2006", 4);
  scanner.literal("-");
  const month = scanner.inRange("month", scanner.number("01", 2), 1, 12);
  scanner.literal("-");
  const day = scanner.number("02", 2);
  scanner.literal("T");
  const hour = scanner.inRange("hour", scanner.number("15", 2, 1), 0, 23);
  scanner.literal(":");
  const minute = scanner.inRange("minute", scanner.number("04", 2), 0, 59);
  scanner.literal(":");
  const second = scanner.inRange("second", scanner.number("05", 2), 0, 59);
  const nanos = layout.includes(".000000") ? scanner.microseconds() : scanner.fraction();
  const offset = layout.endsWith("Z07:00") ? scanner.offset() : 0;
  scanner.end();
  scanner.inRange("day", day, 1, new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate());
  return { seconds: secondsOfDate(year, month, day) + hour * 3600 + minute * 60 + second - offset, nanos };
}

/** Writes the moment in UTC with that many digits of the second's fraction, cutting off the rest. */
export function formatRfc3339({ seconds, nanos }: Instant, fractionDigits: 0 | 6): string {
  const cycles = Math.floor(seconds / secondsOfCycle);
  const date = new Date((seconds - cycles * secondsOfCycle) * 1000);
  const fraction = fractionDigits === 0 ? "" : `.${String(nanos).padStart(9, "0").slice(0, fractionDigits)}`;
  const text = `${date.toISOString().slice(0, 19)}${fraction}Z`;
  if (cycles === 0) return text;
  const year = date.getUTCFullYear() + cycles * 400;
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}${text.slice(4)}`;
}

/** The Gregorian calendar repeats itself after 400 years. */
const secondsOfCycle = 146_097 * 86_400;

/** Through a year that `Date` does not take for one of the twentieth century. */
function secondsOfDate(year: number, month: number, day: number): number {
  return Date.UTC(year + 400, month - 1, day) / 1000 - secondsOfCycle;
}

/** Takes a text apart from left to right; what does not fit is refused with what is left of it. */
class TimeScanner {
  readonly #text: string;
  readonly #layout: TimeLayout;
  #rest: string;

  constructor(text: string, layout: TimeLayout) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  literal(character: string): void {
    if (!this.#rest.startsWith(character)) throw this.#mismatch(character);
    this.#rest = this.#rest.slice(1);
  }

  number(element: string, width: number, least = width): number {
    const digits = /^\d*/.exec(this.#rest.slice(0, width))?.[0] ?? "";
    if (digits.length < least) throw this.#mismatch(element);
    this.#rest = this.#rest.slice(digits.length);
    return Number(digits);
  }

  inRange(what: string, value: number, least: number, most: number): number {
    if (value < least || value > most) throw this.#failure(`: ${what} out of range`);
    return value;
  }

  fraction(): number {
    const [all = "", digits = ""] = /^[.,](\d+)/.exec(this.#rest) ?? [];
    this.#rest = this.#rest.slice(all.length);
    return Number(digits.slice(0, 9).padEnd(9, "0"));
  }

  /** Six characters that Go reads as an integer, which may have a sign. */
  microseconds(): number {
    const [, digits] = /^[.,]([+-]?\d+)$/.exec(this.#rest.slice(0, 7)) ?? [];
    if (digits === undefined || this.#rest.length < 7) throw this.#mismatch(".000000");
    this.#rest = this.#rest.slice(7);
    return this.inRange("fractional second", Number(digits) * 1000, 0, Infinity);
  }

  offset(): number {
    if (this.#rest.startsWith("Z")) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const [all, sign, hours, minutes] = /^(.)(..):(..)/s.exec(this.#rest) ?? [];
    if (all === undefined) throw this.#mismatch("Z07:00");
    const hour = /^\d\d$/.test(hours ?? "") ? Number(hours) : undefined;
    const minute = hour !== undefined && /^\d\d$/.test(minutes ?? "") ? Number(minutes) : undefined;
    // Go looks at the ranges before it looks at what it could not read.
    this.inRange("time zone offset minute", minute ?? 0, 0, 60);
    this.inRange("time zone offset hour", hour ?? 0, 0, 24);
    if (hour === undefined || minute === undefined || (sign !== "+" && sign !== "-")) throw this.#mismatch("Z07:00");
    this.#rest = this.#rest.slice(all.length);
    return (hour * 60 + minute) * (sign === "+" ? 60 : -60);
  }

  end(): void {
    if (this.#rest !== "") throw this.#failure(`: extra text: ${quoteBytes(this.#rest)}`);
  }

  #mismatch(element: string): ParseError {
    return this.#failure(` as ${quoteBytes(this.#layout)}: cannot parse ${quoteBytes(this.#rest)} as ${quoteBytes(element)}`);
  }

  #failure(problem: string): ParseError {
    return new ParseError(`parsing time ${quoteBytes(this.#text)}${problem}`);
  }
}
