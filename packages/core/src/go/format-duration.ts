import { ParseError } from "../error/parse-error.ts";
import { parseDuration } from "../scalar/duration.ts";

/** The names of each unit, with its nanoseconds: the last of them may have anything after it, such as `seconds` after `sec`. */
const units: readonly (readonly [nanos: bigint, ...names: readonly string[]])[] = [
  [1n, "ns", "nano"],
  [1_000n, "us", "µs", "micro"],
  [1_000_000n, "ms", "milli"],
  [1_000_000_000n, "s", "sec"],
  [60_000_000_000n, "m", "min"],
  [3_600_000_000_000n, "h", "hr", "hour"],
  [86_400_000_000_000n, "d", "day"],
  [604_800_000_000_000n, "w", "wk", "week"],
];

/**
 * The nanoseconds of a text in the format `duration`: Go's form, or words such as `2 days and 3 hours`, of which what can be read is added up.
 * Undefined when nothing can.
 */
export function parseFormatDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  const amounts = [...text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)].map(
    ([, amount = "0", unit = ""]) => [BigInt(amount), unit] as const,
  );
  if (amounts.some(([amount]) => amount >= 2n ** 63n)) return undefined;
  const known = amounts.flatMap(([amount, unit]) => {
    const nanos = nanosOf(unit.toLowerCase());
    return nanos === undefined ? [] : [amount * nanos];
  });
  return known.length === 0
    ? undefined
    : BigInt.asIntN(
        64,
        known.reduce((total, nanos) => total + nanos),
      );
}

function nanosOf(unit: string): bigint | undefined {
  return units.find(([, ...names]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? ""))?.[0];
}
