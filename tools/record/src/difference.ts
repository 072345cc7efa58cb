import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** Where two values differ, one line each: the path, what was expected, what is there. Empty when they are equal; the order of keys does not matter. */
export function differences(expected: JsonValue | undefined, actual: JsonValue | undefined, path = ""): readonly string[] {
  if (isJsonArray(expected) && isJsonArray(actual)) {
    const indices = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => index);
    return indices.flatMap((index) => differences(expected[index], actual[index], `${path}[${index}]`));
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted();
    return keys.flatMap((key) => differences(own(expected, key), own(actual, key), path === "" ? key : `${path}.${key}`));
  }
  return expected === actual ? [] : [`${path}: expected ${shown(expected)}, got ${shown(actual)}`];
}

function own(object: { readonly [key: string]: JsonValue | undefined }, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : stringifyJson(value);
}
