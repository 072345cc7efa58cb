/** The items in another order, in which however many are taken from its beginning come evenly from all of them. */
export function spread<T>(items: readonly T[]): readonly T[] {
  const bits = Math.ceil(Math.log2(Math.max(1, items.length)));
  const order = Array.from({ length: 2 ** bits }, (_, index) => reversed(index, bits));
  return order.flatMap((index) => items.slice(index, index + 1));
}

/** The number whose bits are those of another, from the last to the first: consecutive numbers come to lie far apart. */
function reversed(number: number, bits: number): number {
  return Array.from({ length: bits }, (_, bit) => ((number >> bit) & 1) << (bits - 1 - bit)).reduce((sum, bit) => sum + bit, 0);
}
