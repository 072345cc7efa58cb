import { quote } from "../go/go-quote.ts";
import { parseInt64 } from "./int64.ts";
import { ParseError } from "../error/parse-error.ts";

/** A number, or a text such as the name of a port or a percentage. */
export type IntOrString = number | string;

/** Reads a 32-bit integer as a number and leaves any other text as it is. */
export function parseIntOrString(text: string): IntOrString {
  const value = parseInt64(text);
  return value === undefined || BigInt.asIntN(32, value) !== value ? text : Number(value);
}

/** A number as it is, a percentage as that share of the total; any other text is refused. */
export function scaledValue(value: IntOrString, total: number, rounding: "up" | "down"): number {
  if (typeof value === "number") return value;
  const share = (parsePercentage(value) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}

function parsePercentage(text: string): number {
  if (!text.endsWith("%")) throw new ParseError("invalid value for IntOrString: invalid type: string is not a percentage");
  const digits = text.slice(0, -1);
  const value = parseInt64(digits);
  if (value !== undefined) return Number(value);
  const problem = /^[+-]?\d+$/.test(digits) ? "value out of range" : "invalid syntax";
  throw new ParseError(`invalid value for IntOrString: invalid value ${quote(text)}: strconv.Atoi: parsing ${quote(digits)}: ${problem}`);
}
