import type { JsonValue } from "../json/json.ts";

/** The value itself, as JSON, without its undefined fields; undefined if it is not JSON. */
export function asJson(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return allOrNothing(value.map(asJson));
  if (typeof value !== "object") return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const fields = allOrNothing(entries.map(([, field]) => asJson(field)));
  return fields && Object.fromEntries(entries.map(([key], index) => [key, fields[index]]));
}

function allOrNothing(values: ReadonlyArray<JsonValue | undefined>): JsonValue[] | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length ? present : undefined;
}
