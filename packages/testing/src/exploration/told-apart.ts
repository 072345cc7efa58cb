import type { JsonValue } from "@kaji/core";

/** So much is shown of a value. */
const longest = 100;
/** So much of it before the place at which it differs. */
const before = 30;

/** Two values as a line of a report shows them: of long ones the part around the first place at which they differ, since such as a rendered configuration begin alike. */
export function toldApart(actual: JsonValue | undefined, expected: JsonValue | undefined): readonly [actual: string, expected: string] {
  const [left, right] = [textOf(actual), textOf(expected)];
  const from = left.length > longest && right.length > longest ? Math.max(0, firstDifference(left, right) - before) : 0;
  return [partOf(left, from), partOf(right, from)];
}

/** A value as a line of a report shows it: the beginning of a long one. */
export function toldShort(value: JsonValue | undefined): string {
  return partOf(textOf(value), 0);
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

function partOf(text: string, from: number): string {
  const rest = text.slice(from);
  const part = rest.length > longest ? `${rest.slice(0, longest - 3)}...` : rest;
  return from === 0 ? part : `...${part}`;
}
