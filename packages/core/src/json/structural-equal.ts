import { isRecord } from "./json.ts";

/** Whether two JSON values say the same. The order of fields does not count, and an undefined field is an absent one. */
export function structuralEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && arraysEqual(left, right);
  if (isRecord(left)) return isRecord(right) && recordsEqual(left, right);
  if (typeof left === "bigint") return typeof right === "number" && isSameInteger(left, right);
  return typeof left === "number" && typeof right === "bigint" && isSameInteger(right, left);
}

/** A large integer that was computed, not parsed, may be a number all the same: then its digits count, as they are written. */
function isSameInteger(integer: bigint, number: number): boolean {
  return String(integer) === String(number);
}

function arraysEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => structuralEqual(item, right[index]));
}

type AnyRecord = Readonly<Record<string, unknown>>;

function recordsEqual(left: AnyRecord, right: AnyRecord): boolean {
  let surplus = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(right, key) || !structuralEqual(value, right[key])) return false;
    surplus -= 1;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) surplus += 1;
  return surplus === 0;
}
