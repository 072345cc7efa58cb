import { goText } from "./go-text.ts";
import { Double, ErrorValue, Uint, isError, isInt, noSuchOverload } from "./value.ts";
import type { MapValue, Value } from "./value.ts";

/** A map of values at hand; an error when a key is of no type for keys. Of a key that is there twice the last value counts. */
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
  /** By a normal form of the keys, which is the same only for keys of one type. */
  readonly #entries = new Map<unknown, readonly [Value, Value]>();

  get size(): number {
    return this.#entries.size;
  }

  set(key: Value, value: Value): ErrorValue | undefined {
    if (key instanceof Uint8Array) return new ErrorValue("unsupported key type");
    this.#entries.set(keyForm(key), [key, value]);
    return undefined;
  }

  /** An integer is found by any number of its amount, a double by itself alone. */
  find(key: Value): Value | undefined {
    if (isError(key)) return key;
    if (key instanceof Uint8Array) return noSuchOverload;
    const found =
      this.#entries.get(keyForm(key)) ??
      integerForms(key)
        .map((form) => this.#entries.get(form))
        .find((entry) => entry !== undefined);
    return found?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }
}

/** Lists, maps and what libraries make are keys by what they are, not by what is in them. */
function keyForm(key: Value): unknown {
  if (typeof key === "string") return `s${key}`;
  if (typeof key !== "object" || key === null || !("kind" in key)) return key;
  switch (key.kind) {
    case "uint":
      return `u${key.value}`;
    case "double":
      return `d${key.value}`;
    case "duration":
      return `duration ${key.nanos}`;
    case "timestamp":
      return `timestamp ${key.seconds} ${key.nanos} ${key.offsetSeconds}`;
    case "type":
      return `type ${key.name}`;
    default:
      return key;
  }
}

/** The forms of the integers that a number is equal to. */
function integerForms(key: Value): readonly unknown[] {
  if (isInt(key)) return [`u${key}`];
  if (key instanceof Uint) return [compact(key.value)];
  if (!(key instanceof Double) || !Number.isInteger(key.value)) return [];
  const amount = BigInt(key.value);
  return [compact(amount), `u${amount}`];
}

function compact(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}
