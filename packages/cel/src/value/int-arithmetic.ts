import { ErrorValue, Uint } from "./value.ts";
import type { Int } from "./value.ts";

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const largestUint = 2n ** 64n - 1n;

const intOverflow = new ErrorValue("integer overflow");
const uintOverflow = new ErrorValue("unsigned integer overflow");
const divisionByZero = new ErrorValue("division by zero");
const modulusByZero = new ErrorValue("modulus by zero");

/** The integer in its one form; an error when it does not fit into 64 bits. */
export function intOf(value: bigint): Int | ErrorValue {
  if (value < smallest || value > largest) return intOverflow;
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** The unsigned integer; an error when it does not fit into 64 bits. */
export function uintOf(value: bigint): Uint | ErrorValue {
  return value < 0n || value > largestUint ? uintOverflow : new Uint(value);
}

export function addInt(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intOf(BigInt(left) + BigInt(right));
}

export function subtractInt(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === "number" && typeof right === "number") {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intOf(BigInt(left) - BigInt(right));
}

export function multiplyInt(left: Int, right: Int): Int | ErrorValue {
  if (typeof left === "number" && typeof right === "number") {
    const product = left * right;
    if (Number.isSafeInteger(product)) return withoutSign(product);
  }
  return intOf(BigInt(left) * BigInt(right));
}

export function divideInt(left: Int, right: Int): Int | ErrorValue {
  if (right === 0) return divisionByZero;
  // What is left after taking the remainder off divides without one, so the quotient is exact.
  if (typeof left === "number" && typeof right === "number") return withoutSign((left - (left % right)) / right);
  return intOf(BigInt(left) / BigInt(right));
}

export function moduloInt(left: Int, right: Int): Int | ErrorValue {
  if (right === 0) return modulusByZero;
  if (typeof left === "number" && typeof right === "number") return withoutSign(left % right);
  // Go refuses this one, since the division it stands for overflows.
  if (left === smallest && right === -1) return intOverflow;
  return intOf(BigInt(left) % BigInt(right));
}

export function negateInt(value: Int): Int | ErrorValue {
  return typeof value === "number" ? withoutSign(-value) : intOf(-value);
}

export function divideUint(left: Uint, right: Uint): Uint | ErrorValue {
  return right.value === 0n ? divisionByZero : new Uint(left.value / right.value);
}

export function moduloUint(left: Uint, right: Uint): Uint | ErrorValue {
  return right.value === 0n ? modulusByZero : new Uint(left.value % right.value);
}

/** Truncates; an error beyond 64 bits. */
export function intFromDouble(value: number): Int | ErrorValue {
  // The limits themselves are refused, since a double cannot tell them from their neighbours.
  if (Number.isNaN(value) || value <= -(2 ** 63) || value >= 2 ** 63) return intOverflow;
  return intOf(BigInt(Math.trunc(value)));
}

/** Truncates; an error beyond 64 bits and below zero. */
export function uintFromDouble(value: number): Uint | ErrorValue {
  return Number.isNaN(value) || value < 0 || value >= 2 ** 64 ? uintOverflow : uintOf(BigInt(Math.trunc(value)));
}

/** An integer has no negative zero. */
function withoutSign(value: number): number {
  return value === 0 ? 0 : value;
}
