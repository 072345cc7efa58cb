/** The items in another order: first so many as there is room for, evenly from the first to the last, then the others. */
export function spread<T>(items: readonly T[], room: number): readonly T[] {
  if (room <= 0 || room >= items.length) return items;
  const first = new Set(Array.from({ length: room }, (_, index) => Math.floor((index * items.length) / room)));
  return [...items.filter((_, index) => first.has(index)), ...items.filter((_, index) => !first.has(index))];
}
