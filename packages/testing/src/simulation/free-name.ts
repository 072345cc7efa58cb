/**
 * The name, or where that is taken the first of `name (2)`, `name (3)` and so on that is not: what else there is does not matter.
 * `last` remembers the last number of each name, for where many have the same and none is given back.
 */
export function freeName(taken: ReadonlyMap<string, unknown>, name: string, last?: Map<string, number>): string {
  if (!taken.has(name)) return name;
  let number = last?.get(name) ?? 2;
  while (taken.has(`${name} (${number})`)) number++;
  last?.set(name, number);
  return `${name} (${number})`;
}
