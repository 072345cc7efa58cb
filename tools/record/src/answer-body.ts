import { parseJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** JSON; JSON in each of several lines; or what it is. */
export function parseBody(text: string): JsonValue {
  const whole = parseIfJson(text);
  if (whole !== undefined) return whole;
  const lines = text.trimEnd().split("\n").map(parseIfJson);
  return lines.every((line) => line !== undefined) ? lines : text;
}

/** Undefined when it is not JSON. */
export function parseIfJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
