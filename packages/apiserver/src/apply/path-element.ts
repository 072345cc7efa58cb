import { isJsonArray, isJsonObject, parseJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { compareGoStrings, formatGo, quote } from "@kaji/core/go";
import { goJson } from "./go-json.ts";

declare const brand: unique symbol;

/**
 * One step from a value to a part of it, in the canonical text of `FieldsV1`: `f:replicas` a field, `k:{"name":"web"}` the list item
 * with these keys, `v:"orphan"` the list item of this value, `i:0` the list item at this place. Equal steps are equal strings.
 */
export type PathElement = string & { readonly [brand]: "PathElement" };

/** Where something is in an object. The empty path is the object itself. */
export type Path = readonly PathElement[];

/** The step to a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}` as PathElement;
}

/** The step to the list item that has these values in its key fields, given in the order of their names. */
export function keyElement(keys: ReadonlyArray<readonly [name: string, value: JsonValue]>): PathElement {
  let fields = "";
  for (const [name, value] of keys) fields += `${fields === "" ? "" : ","}${scalarJson(name)}:${scalarJson(value)}`;
  return `k:{${fields}}` as PathElement;
}

/** The step to the list item of this value. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${scalarJson(value)}` as PathElement;
}

/** Reads a step from its text; undefined for kinds of steps this version does not know. Throws on what is no step at all. */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new TypeError("key must be 2 characters long:");
  if (text[1] !== ":") throw new TypeError(`missing colon: ${text}`);
  if (text[0] === "f" || plainItem.test(text)) return text as PathElement;
  switch (text[0]) {
    case "k":
      return keyElement(keysOf(text));
    case "v":
      return valueElement(valueOf(text));
    case "i":
      if (!/^[+-]?\d+$/.test(text.slice(2))) throw new TypeError(`invalid index: ${text.slice(2)}`);
      return `i:${Number(text.slice(2))}` as PathElement;
    default:
      return undefined;
  }
}

/** Whether a step leads to a field, and its name. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** The keys and values of a `k:` step, in the order of their names. */
function keysOf(element: string): ReadonlyArray<readonly [string, JsonValue]> {
  const keys = valueOf(element);
  if (!isJsonObject(keys)) throw new TypeError(`not an object of keys: ${element.slice(2)}`);
  return Object.entries(keys)
    .map(([name, value = null]) => [name, value] as const)
    .toSorted(([left], [right]) => compareGoStrings(left, right));
}

/** Orders steps: fields, then keyed items, then values, then indexes; numbers by size, text by its characters. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const kind = left[0];
  if (kind !== right[0]) return kindOrder.indexOf(kind ?? "") - kindOrder.indexOf(right[0] ?? "");
  switch (kind) {
    case "k":
      return isTextKey(left) && isTextKey(right) ? compareGoStrings(left, right) : compareKeys(keysOf(left), keysOf(right));
    case "v":
      return compareValues(valueOf(left), valueOf(right));
    case "i":
      return Number(left.slice(2)) - Number(right.slice(2));
    default:
      return compareGoStrings(left, right);
  }
}

/** Steps in their order. */
export function sortElements(elements: Iterable<PathElement>): readonly PathElement[] {
  const list = [...elements];
  // Fields alone, by far the usual case, and items by one key alone need no comparison function.
  const isPlain = list.every((element) => element.startsWith("f:")) || list.every(isTextKey);
  if (!isPlain) return list.sort(compareElements);
  const isSorted = list.every((element, index) => index === 0 || (list[index - 1] ?? "") < element);
  return isSorted ? list : list.sort();
}

/** A path as messages show it: `.spec.containers[name="web"].image`. */
export function formatPath(path: Path): string {
  return path.map(formatElement).join("");
}

/** A step as messages show it. */
export function formatElement(element: PathElement): string {
  switch (element[0]) {
    case "k":
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${formatValue(value)}`)
        .join(",")}]`;
    case "v":
      return `[=${formatValue(valueOf(element))}]`;
    case "i":
      return `[${element.slice(2)}]`;
    default:
      return `.${element.slice(2)}`;
  }
}

const kindOrder = "fkvi";

/** Steps to items by one key or by value, of which it is plain to see that they are in canonical form. */
const plainItem = /^(?:k:\{"\w+":(?:"[\w./-]*"|[1-9]\d{0,14})\}|v:(?:"[\w./-]*"|[1-9]\d{0,14}))$/;

/** A step to an item by one key that is plain text: they are in the order of what they are written as, since the quote is before all that can be inside. */
const textKey = /^k:\{"\w+":"[\w./-]*"\}$/;

function isTextKey(element: string): boolean {
  return textKey.test(element);
}

/** Text that is the same in JSON. */
const plainText = /^[\w./:-]*$/;

function scalarJson(value: JsonValue): string {
  return typeof value === "string" && plainText.test(value) ? `"${value}"` : goJson(value);
}

function valueOf(element: string): JsonValue {
  return parseJson(element.slice(2));
}

function formatValue(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(formatValue).join(",")}]`;
  if (isJsonObject(value))
    return Object.keys(value)
      .map((key) => `${key}=${formatValue(value[key] ?? null)}`)
      .join("");
  return value === null ? "null" : typeof value === "string" ? quote(value) : formatGo(value);
}

function compareKeys(left: ReturnType<typeof keysOf>, right: ReturnType<typeof keysOf>): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareGoStrings(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers come before text, text before booleans, anything else last. */
function compareValues(left: JsonValue, right: JsonValue): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : Number(left > right);
  return typeof left === "string" && typeof right === "string"
    ? compareGoStrings(left, right)
    : compareGoStrings(goJson(left), goJson(right));
}

function rankOf(value: JsonValue): number {
  return isNumeric(value) ? 0 : typeof value === "string" ? 1 : typeof value === "boolean" ? 2 : 3;
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
