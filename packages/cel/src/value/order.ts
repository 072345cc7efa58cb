import { compareGoStrings } from "@kaji/core/go";
import { amountsOf } from "./equality.ts";
import { Double, Duration, ErrorValue, Timestamp, noSuchOverload } from "./value.ts";
import type { Value } from "./value.ts";

const nanOrder = new ErrorValue("NaN values cannot be ordered");

/** Negative, zero or positive, as for a sort; an error when the two have no order. */
export function compare(left: Value, right: Value): number | ErrorValue {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return compareGoStrings(left, right);
  const amounts = amountsOf(left, right);
  if (isNan(left)) return nanOrder;
  if (amounts !== undefined) return isNan(right) ? nanOrder : order(...amounts);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left instanceof Timestamp && right instanceof Timestamp) return left.seconds - right.seconds || left.nanos - right.nanos;
  if (left instanceof Duration && right instanceof Duration) return order(left.nanos, right.nanos);
  return noSuchOverload;
}

/** Whether values like this one have an order. */
export function isComparable(value: Value): boolean {
  return value !== null && compare(value, value) !== noSuchOverload;
}

function isNan(value: Value): boolean {
  return value instanceof Double && Number.isNaN(value.value);
}

/** JavaScript compares a bigint with a number by their amounts, exactly. */
function order(left: number | bigint, right: number | bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
