import { escapeField } from "@kaji/core";
import type { JsonArray, JsonValue } from "@kaji/core";
import { equal } from "../value/equality.ts";
import { JsonList } from "../value/json-value.ts";
import { itemsOf, listOf } from "../value/list-value.ts";
import { isError, isMap } from "../value/value.ts";
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
      return new SetList(list);
    case "map":
      return new KeyedList(list, keyReader(keys));
    default:
      return list;
  }
}

/** Each item once, in any order. */
class SetList implements ListValue {
  readonly kind = "list";
  readonly #list: ListValue;
  #members: ReadonlySet<Value> | undefined;

  constructor(list: ListValue) {
    this.#list = list;
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
    return new SetList(listOf([...itemsOf(this.#list), ...itemsOf(other).filter((item) => !this.#has(item))]));
  }

  #has(item: Value): boolean {
    this.#members ??= new Set(itemsOf(this.#list));
    return this.#members.has(item) || (typeof item === "object" && itemsOf(this.#list).some((other) => equal(other, item) === true));
  }
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
