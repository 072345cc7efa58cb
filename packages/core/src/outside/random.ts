/** Where chance comes from. Whatever rolls dice takes one, so that a run can be repeated from its seed. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number;
  /** A version 4 UUID. */
  uuid(): string;
  /** So many bytes. Those of the machine are fit for passwords and keys. */
  bytes(count: number): Uint8Array;
}

/** A whole number from 0 up to but not including `limit`. */
export function randomBelow(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}
