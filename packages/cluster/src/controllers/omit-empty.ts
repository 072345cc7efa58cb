/** The fields without those that are zero, empty or undefined: what Go leaves out of a status, and so what a server gives back. */
export function omitEmpty<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === 0 || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}
