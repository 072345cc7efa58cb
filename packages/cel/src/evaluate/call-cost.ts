import type { CallCost, Overload } from "../check/declaration.ts";
import { itemsOf } from "../value/list-value.ts";
import { isList, isMap } from "../value/value.ts";
import type { OpaqueValue, Value } from "../value/value.ts";

/**
 * What a call costs, by the rules of cel-go and of apiserver's library/cost.go; asked before the call is made.
 * Text counts by its UTF-16 units here, which is known at once.
 */
export function callCost(name: string, overloads: readonly Overload[]): CallCost | number {
  const [only] = overloads.length === 1 ? overloads : [];
  return only?.cost ?? byName.get(name) ?? (only === undefined ? undefined : byOverload.get(only.id)) ?? 1;
}

/** How much of a value there is. */
export function sizeOf(value: Value | undefined): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  switch (value.kind) {
    case "list":
    case "map":
      return value.size;
    case "opaque":
      return value.size ?? 1;
    case "optional":
      return value.value === undefined ? 1 : sizeOf(value.value);
    default:
      return 1;
  }
}

const traversalFactor = 0.1;
const regexFactor = 0.25;

/** Reading a text, or so many texts, once. */
function textCost(value: Value | undefined, times = 1): number {
  return Math.ceil(sizeOf(value) * times * traversalFactor);
}

function regexCost([text, pattern]: readonly Value[]): number {
  return Math.ceil((1 + sizeOf(text)) * traversalFactor) * Math.ceil(sizeOf(pattern) * regexFactor);
}

function traversalCost(value: Value | undefined): number {
  if (typeof value === "string" || value instanceof Uint8Array) return Math.trunc(value.length * traversalFactor);
  if (value === undefined) return 1;
  if (isList(value)) return itemsOf(value).reduce((sum: number, item) => sum + traversalCost(item), 0);
  if (!isMap(value)) return 1;
  return value.keys().reduce((sum: number, key) => sum + traversalCost(key) + traversalCost(value.find(key)), 0);
}

function selectorCost([, selector]: readonly Value[]): number {
  return 10 + textCost(selector) + Math.ceil(Math.ceil(sizeOf(selector) * 0.5) * 50);
}

const once: CallCost = ([text]) => textCost(text);
const twice: CallCost = ([text]) => textCost(text, 2);
const smaller: CallCost = ([left, right]) => Math.ceil(Math.min(sizeOf(left), sizeOf(right)) * traversalFactor);
const together: CallCost = ([left, right]) => Math.ceil((sizeOf(left) + sizeOf(right)) * traversalFactor);
const equality: CallCost = ([left, right]) => (isOpaque(left) ? 1 : smaller([left ?? null, right ?? null], null) + ofLength(left));

/** The extra cost of long values. Upstream has none; here it bounds the time of one evaluation. */
function ofLength(value: Value | undefined): number {
  if (typeof value === "string") return Math.trunc(value.length / 1000);
  return value !== undefined && (isList(value) || isMap(value)) ? Math.max(0, value.size - 10_000) : 0;
}

function isOpaque(value: Value | undefined): value is OpaqueValue {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "opaque";
}

function named(cost: CallCost | number, ...names: readonly string[]): [string, CallCost | number][] {
  return names.map((name) => [name, cost]);
}

const byName: ReadonlyMap<string, CallCost | number> = new Map([
  ...named(350_000, "check"),
  ...named(selectorCost, "fieldSelector", "labelSelector"),
  ...named(([list]) => traversalCost(list) + ofLength(list), "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"),
  ...named(once, "url", "lowerAscii", "upperAscii", "substring", "trim", "jsonpatch.escapeKey"),
  ...named(once, "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"),
  ...named(twice, "replace", "split", "ip.isCanonical"),
  ...named(joinCost, "join"),
  ...named(regexCost, "find", "findAll", "matches"),
  ...named(equality, "_==_"),
  ...named((args) => smaller(args, null) + ofLength(args[0]), "_!=_"),
]);

function joinCost([list, separator]: readonly Value[]): number {
  if (list === undefined || !isList(list)) return 1;
  const text = itemsOf(list).reduce((sum: number, item) => sum + sizeOf(item), 0);
  return (
    ofLength(list) +
    Math.ceil((text + (separator === undefined ? 0 : sizeOf(separator) * Math.max(list.size - 1, 0))) * 2 * traversalFactor)
  );
}

/** Upstream counts the format alone; here the arguments count too. */
function formatTextCost([format, args]: readonly Value[]): number {
  const items = args !== undefined && isList(args) ? itemsOf(args) : [];
  return (
    textCost(format) + items.reduce((sum: number, item) => sum + ofLength(item) + Math.trunc(traversalCost(item) * traversalFactor), 0)
  );
}

/** `+` on a set or a list with keys visits all items. */
function addListCost([left, right]: readonly Value[]): number {
  const isSequence = left === undefined || !isList(left) || left.concat === undefined;
  return isSequence ? 1 : 1 + Math.max(0, sizeOf(left) + sizeOf(right) - 100);
}

const cidrCost = (cidr: Value | undefined): number => Math.ceil(2 * sizeOf(cidr) * traversalFactor);
const insideCost: CallCost = ([cidr]) => cidrCost(cidr) + textCost(cidr) + 1;

const byOverload: ReadonlyMap<string, CallCost | number> = new Map([
  ...named(once, "string_to_ip", "starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string"),
  ...named(([text]) => 1 + ofLength(text), "size_string", "string_size", "string_char_at_int"),
  ...named(once, "strings_quote"),
  ...named(formatTextCost, "string_format"),
  ...named(([, list]) => sizeOf(list), "in_list"),
  ...named(smaller, ...["less", "less_equals", "greater", "greater_equals"].flatMap((name) => [`${name}_string`, `${name}_bytes`])),
  ...named(together, "add_string", "add_bytes"),
  ...named(addListCost, "add_list"),
  ...named(([text, part]) => textCost(text) * textCost(part), "contains_string"),
  ...named(([cidr, ip]) => cidrCost(cidr) + textCost(ip), "cidr_contains_ip_string"),
  ...named(([cidr]) => cidrCost(cidr), "cidr_contains_ip_ip"),
  ...named((args) => insideCost(args, null) + textCost(args[1]), "cidr_contains_cidr_string"),
  ...named(insideCost, "cidr_contains_cidr"),
]);

/** The cost of a check of a named format: that of matching its regular expression, of the given size. */
export function formatCost(patternSize: number, text: Value): number {
  return Math.ceil((1 + sizeOf(text)) * traversalFactor) * Math.ceil(patternSize * regexFactor);
}
