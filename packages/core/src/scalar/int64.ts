/** Whether Go could hold the integer in an int64. */
export function fitsInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Reads a decimal int64 with an optional sign, as Go's strconv does; undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!decimal.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return fitsInt64(value) ? value : undefined;
}

const decimal = /^[+-]?\d+$/;
