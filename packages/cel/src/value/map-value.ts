import { goText } from "./go-text.ts";
import { ErrorValue, isError, isInt, noSuchOverload } from "./value.ts";
import type { MapValue, Value } from "./value.ts";

/** A map of values at hand; an error when a key is of no type for keys, or is there twice. */
export function mapOf(entries: Iterable<readonly [Value, Value]>): MapValue | ErrorValue {
  const map = new EntryMap();
  for (const [key, value] of entries) {
    const failure = map.set(key, value);
    if (failure !== undefined) return failure;
  }
  return map;
}

/** Builds a map whose keys may be inserted only once. */
export class MapBuilder {
  readonly #map = new EntryMap();

  /** Adds an entry; an error when the key is there already. */
  insert(key: Value, value: Value): ErrorValue | undefined {
    const found = this.#map.find(key);
    if (isError(found)) return found;
    if (found !== undefined) return new ErrorValue(`insert failed: key ${goText(key)} already exists`);
    return this.#map.set(key, value);
  }

  build(): MapValue {
    return this.#map;
  }
}

class EntryMap implements MapValue {
  readonly kind = "map";
  /** By a normal form of the keys, which is the same for equal numbers of different types. */
  readonly #entries = new Map<string | number | bigint | boolean, readonly [Value, Value]>();

  get size(): number {
    return this.#entries.size;
  }

  set(key: Value, value: Value): ErrorValue | undefined {
    const form = keyForm(key);
    if (form === undefined) return new ErrorValue("unsupported key type");
    this.#entries.set(form, [key, value]);
    return undefined;
  }

  find(key: Value): Value | undefined {
    const form = keyForm(key);
    if (form === undefined) return isError(key) ? key : isNumber(key) ? undefined : noSuchOverload;
    return this.#entries.get(form)?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }
}

function keyForm(key: Value): string | number | bigint | boolean | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "boolean" || isInt(key)) return key;
  if (typeof key !== "object" || key === null || !("kind" in key)) return undefined;
  if (key.kind === "uint") return compact(key.value);
  return key.kind === "double" && Number.isInteger(key.value) ? compact(BigInt(key.value)) : undefined;
}

function isNumber(key: Value): boolean {
  return typeof key === "object" && key !== null && "kind" in key && key.kind === "double";
}

function compact(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}
