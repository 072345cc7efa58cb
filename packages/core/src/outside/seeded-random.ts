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
  return { next, uuid: () => uuidFrom(next) };
}

function uuidFrom(next: () => number): string {
  const pattern = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  return pattern.replaceAll(/[xy]/g, (letter) => {
    const digit = Math.floor(next() * 16);
    return (letter === "x" ? digit : (digit & 0x3) | 0x8).toString(16);
  });
}
