import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { Double, isError } from "./value.ts";
import type { ListValue, MapValue, Value } from "./value.ts";

/** JSON as an expression sees it where no types are declared: whole numbers are integers. What is inside is read when it is asked for. */
export function jsonValue(json: JsonValue): Value {
  if (typeof json === "number") return Number.isSafeInteger(json) ? json : new Double(json);
  if (isJsonArray(json)) return new JsonList(json, jsonValue);
  return isJsonObject(json) ? new JsonMap(json) : json;
}

/** A list in JSON, of which items are read in some way. */
export class JsonList implements ListValue {
  readonly kind = "list";
  readonly #json: JsonArray;
  readonly #read: (item: JsonValue) => Value;
  #items: readonly Value[] | undefined;

  constructor(json: JsonArray, read: (item: JsonValue) => Value) {
    this.#json = json;
    this.#read = read;
  }

  get size(): number {
    return this.#json.length;
  }

  get items(): readonly Value[] {
    return (this.#items ??= this.#json.map((item) => this.#read(item)));
  }

  at(index: number): Value {
    return this.#items?.[index] ?? this.#read(this.#json[index] ?? null);
  }
}

class JsonMap implements MapValue {
  readonly kind = "map";
  readonly #json: JsonObject;
  #keys: readonly string[] | undefined;

  constructor(json: JsonObject) {
    this.#json = json;
  }

  get size(): number {
    return this.keys().length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return isError(key) ? key : undefined;
    const value = Object.hasOwn(this.#json, key) ? this.#json[key] : undefined;
    return value === undefined ? undefined : jsonValue(value);
  }

  keys(): readonly string[] {
    return (this.#keys ??= Object.keys(this.#json));
  }
}
