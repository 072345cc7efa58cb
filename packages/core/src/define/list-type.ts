import { stringifyJson } from "../json/json.ts";

/** The positions at which a value is found for the second time; further times do not count, as with the API server. */
export function duplicatesIn(values: readonly unknown[]): readonly number[] {
  const times = new Map<string, number>();
  return values.flatMap((value, index) => {
    const text = canonical(value);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [index] : [];
  });
}

/** Of each item what makes its key, absent fields left out. */
export function keysOf(items: readonly unknown[], keys: readonly string[]): ReadonlyArray<Readonly<Record<string, unknown>>> {
  return items.map((item) => {
    const fields: object = typeof item === "object" && item !== null ? item : {};
    return Object.fromEntries(keys.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, Reflect.get(fields, key) as unknown]));
  });
}

/** The same text for values that are the same, whatever the order of their fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return stringifyJson(value) ?? "";
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${entries
    .map(([key, field]) => `${stringifyJson(key)}:${canonical(field)}`)
    .toSorted()
    .join(",")}}`;
}
