import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";

/** Objects that are one step simpler, the greatest steps first: without a field, or with a simpler one. */
export function* simplerObjects(object: JsonObject): Generator<JsonObject, undefined> {
  for (const name of Object.keys(object)) {
    const { [name]: _left, ...rest } = object;
    yield rest;
  }
  for (const [name, value] of Object.entries(object)) {
    for (const simpler of simplerValues(value ?? null)) yield { ...object, [name]: simpler };
  }
  return undefined;
}

function* simplerValues(value: JsonValue): Generator<JsonValue, undefined> {
  if (isJsonObject(value)) yield* simplerObjects(value);
  else if (isJsonArray(value)) yield* simplerArrays(value);
  else if (typeof value === "number") yield* new Set([0, 1, Math.trunc(value / 2)].filter((less) => Math.abs(less) < Math.abs(value)));
  return undefined;
}

function* simplerArrays(values: readonly JsonValue[]): Generator<JsonValue, undefined> {
  for (const index of values.keys()) yield values.filter((_, at) => at !== index);
  for (const [index, value] of values.entries()) for (const simpler of simplerValues(value)) yield values.with(index, simpler);
  return undefined;
}
