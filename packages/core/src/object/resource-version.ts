import { ParseError } from "../error/parse-error.ts";

/**
 * Which of two resource versions is the newer: negative, zero or positive, as for a sort.
 * They are decimal numbers of any length without leading zeros (KEP-5504); anything else is refused.
 */
export function compareResourceVersions(left: string, right: string): number {
  requireDecimal(left);
  requireDecimal(right);
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function requireDecimal(version: string): void {
  if (!/^(0|[1-9]\d*)$/.test(version)) throw new ParseError(`resource version "${version}" is not a decimal number`);
}
