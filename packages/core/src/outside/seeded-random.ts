import type { Random } from "./random.ts";

/** The same numbers for the same seed, on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, uuid: () => uuidFrom(next), bytes: (count) => Uint8Array.from({ length: count }, () => next() * 256) };
}

const hexDigits = "0123456789abcdef";

function uuidFrom(next: () => number): string {
  let uuid = "";
  for (const letter of "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx") {
    if (letter === "x") uuid += hexDigits.charAt(next() * 16);
    else if (letter === "y") uuid += hexDigits.charAt(((next() * 16) & 0x3) | 0x8);
    else uuid += letter;
  }
  return uuid;
}
