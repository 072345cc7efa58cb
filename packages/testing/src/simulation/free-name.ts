/** The name, or where that is taken the first of `name (2)`, `name (3)` and so on that is not: what else there is does not matter. */
export function freeName(taken: ReadonlyMap<string, unknown>, name: string): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} (${number})`)) number++;
  return `${name} (${number})`;
}
