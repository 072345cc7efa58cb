import { isJsonArray, isJsonObject, structuralEqual } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { StructuralNode } from "../schema/structural-node.ts";

/**
 * What a value was before an update, so that what was wrong already and has not changed can be tolerated ("ratcheting").
 * There is none for values that cannot be told to be the same thing before and after, such as items of ordinary lists.
 */
export class Correlation {
  /** What it was. */
  readonly old: JsonValue;
  readonly #schema: StructuralNode;

  constructor(old: JsonValue, schema: StructuralNode) {
    this.old = old;
    this.#schema = schema;
  }

  /** What a field was before. */
  field(name: string): Correlation | undefined {
    const old = isJsonObject(this.old) && Object.hasOwn(this.old, name) ? this.old[name] : undefined;
    const schema = this.#schema.entry(name);
    return old === undefined || schema === undefined ? undefined : new Correlation(old, schema);
  }

  /** What an item was before: in lists that are maps, the item with the same key. */
  item(item: JsonValue): Correlation | undefined {
    const { type, listType, listMapKeys, items } = this.#schema;
    if (type !== "array" || listType !== "map" || items === undefined || !isJsonArray(this.old) || !isJsonObject(item)) return undefined;
    const key = scalarKey(item, listMapKeys);
    const old = key === undefined ? undefined : this.old.find((other) => isJsonObject(other) && scalarKey(other, listMapKeys) === key);
    return old === undefined ? undefined : new Correlation(old, items);
  }

  /** Whether nothing has changed. The order of items that have keys does not matter; unknown fields count as changed. */
  equals(value: JsonValue): boolean {
    const old = this.old;
    if (isJsonArray(old)) {
      if (!isJsonArray(value) || old.length !== value.length) return false;
      if (this.#schema.listType !== "map") return structuralEqual(old, value);
      return value.every((item) => this.item(item)?.equals(item) ?? false);
    }
    if (!isJsonObject(old)) return structuralEqual(old, value);
    if (!isJsonObject(value)) return false;
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.field(name)?.equals(value[name] ?? null) ?? false);
  }
}

/** The key of an item as text; undefined when a part of it is missing or not a scalar. */
function scalarKey(item: JsonObject, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const parts: string[] = [];
  for (const name of names) {
    const part = Object.hasOwn(item, name) ? item[name] : undefined;
    if (part === undefined || typeof part === "object") return undefined;
    parts.push(`${typeof part} ${part}`);
  }
  return parts.join("\0");
}
