import { escapeField } from "@kaji/core";
import type { JsonArray, JsonValue } from "@kaji/core";
import { equal } from "../value/equality.ts";
import { JsonList } from "../value/json-value.ts";
import { itemsOf, listOf } from "../value/list-value.ts";
import { Double, isError, isInt, isMap } from "../value/value.ts";
import type { ErrorValue, ListValue, Meter, Value } from "../value/value.ts";

/** A list in JSON, of which items are read when they are asked for. What the list type says decides what equality and `+` mean. */
export function schemaList(
  json: JsonArray,
  read: (item: JsonValue) => Value,
  listType: string | undefined,
  keys: readonly string[],
): ListValue {
  const list = new JsonList(json, read);
  switch (listType) {
    case "set":
      return new SetList(list, () => new Set(json.map(jsonMember)));
    case "map":
      return new KeyedList(list, keyReader(keys));
    default:
      return list;
  }
}

/**
 * Each item once, in any order. A real server looks for an item as it came in JSON, and compares what came with what rules see of the other list: where that is another type (a double, a time, null), it
 * finds nothing.
 */
class SetList implements ListValue {
  readonly kind = "list";
  readonly #list: ListValue;
  readonly #read: () => ReadonlySet<string>;
  #members: ReadonlySet<string> | undefined;

  /** `members`: how those that are there are found. */
  constructor(list: ListValue, members: () => ReadonlySet<string>) {
    this.#list = list;
    this.#read = members;
  }

  get size(): number {
    return this.#list.size;
  }

  at(index: number): Value {
    return this.#list.at(index);
  }

  equals(other: ListValue, meter: Meter): boolean {
    meter.step(this.size);
    return this.size === other.size && itemsOf(other).every((item) => this.#has(item));
  }

  concat(other: ListValue): ListValue {
    const added = itemsOf(other).filter((item) => !this.#has(item));
    return new SetList(listOf([...itemsOf(this.#list), ...added]), () => new Set([...this.#known, ...added.map(memberOf)]));
  }

  #has(item: Value): boolean {
    return this.#known.has(memberOf(item));
  }

  get #known(): ReadonlySet<string> {
    return (this.#members ??= this.#read());
  }
}

/** How an item is found that came in JSON: whole numbers are integers there. */
function jsonMember(item: JsonValue): string {
  if (typeof item === "number") return memberOf(Number.isInteger(item) ? item : new Double(item));
  return typeof item === "object" ? "" : memberOf(item);
}

/** How a value is looked for; what never comes in JSON as it is here has no name under which anything is found. */
function memberOf(item: Value): string {
  if (isInt(item)) return `int ${item}`;
  if (item instanceof Double) return `double ${item.value}`;
  return typeof item === "string" || typeof item === "boolean" ? `${typeof item} ${item}` : "nothing";
}

/** Items with keys, in any order. */
class KeyedList implements ListValue {
  readonly kind = "list";
  readonly #list: ListValue;
  readonly #keyOf: (item: Value) => string;
  #byKey: ReadonlyMap<string, Value> | undefined;

  constructor(list: ListValue, keyOf: (item: Value) => string) {
    this.#list = list;
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#list.size;
  }

  at(index: number): Value {
    return this.#list.at(index);
  }

  equals(other: ListValue, meter: Meter): boolean | ErrorValue {
    if (this.size !== other.size) return false;
    meter.step(this.size);
    for (const item of itemsOf(other)) {
      const mine = this.#items.get(this.#keyOf(item));
      if (mine === undefined) return false;
      const same = equal(mine, item, meter);
      if (same !== true) return same;
    }
    return true;
  }

  /** An item takes the place of the one with its key. */
  concat(other: ListValue): ListValue {
    const all = new Map([...this.#items, ...itemsOf(other).map((item) => [this.#keyOf(item), item] as const)]);
    return new KeyedList(listOf([...all.values()]), this.#keyOf);
  }

  get #items(): ReadonlyMap<string, Value> {
    return (this.#byKey ??= new Map(itemsOf(this.#list).map((item) => [this.#keyOf(item), item])));
  }
}

/** The key of an item as text. */
function keyReader(keys: readonly string[]): (item: Value) => string {
  const names = keys.map((key) => escapeField(key) ?? key);
  return (item) => (isMap(item) ? names.map((name) => keyText(item.find(name))).join("\0") : "");
}

function keyText(part: Value | undefined): string {
  return part === undefined || isError(part) || typeof part === "object" ? "" : `${typeof part} ${part}`;
}
