import type { JsonArray, JsonObject, JsonValue } from "./json.ts";

/**
 * An object under change. The original is copied, one level deep, at the first change that makes a difference, and never written to.
 * Every key is plain data, `__proto__` too; an undefined field is an absent one.
 */
export class ObjectDraft {
  readonly #original: JsonObject;
  #copy: Record<string, JsonValue | undefined> | undefined;

  constructor(original: JsonObject) {
    this.#original = original;
  }

  get(key: string): JsonValue | undefined {
    return ownField(this.finish(), key);
  }

  keys(): readonly string[] {
    return Object.keys(this.finish());
  }

  set(key: string, value: JsonValue): void {
    if (this.get(key) === value) return;
    this.#copy ??= { ...this.#original };
    setField(this.#copy, key, value);
  }

  delete(key: string): void {
    if (!Object.hasOwn(this.finish(), key)) return;
    this.#copy ??= { ...this.#original };
    delete this.#copy[key];
  }

  /** The object as it is now: the original itself as long as nothing differs. */
  finish(): JsonObject {
    return this.#copy ?? this.#original;
  }
}

/** Sets a field, whatever it is called: assigning to `__proto__` would change the prototype instead. */
export function setField(object: Record<string, JsonValue | undefined>, key: string, value: JsonValue): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** A field of an object, never of its prototype. */
export function ownField(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether an object has no field. */
export function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** The object with each field changed, or left out where the change is undefined; the same object if nothing differs. */
export function mapFields(object: JsonObject, change: (value: JsonValue) => JsonValue | undefined): JsonObject {
  const result = new ObjectDraft(object);
  for (const key of Object.keys(object)) {
    const value = object[key];
    const changed = value === undefined ? undefined : change(value);
    if (changed === undefined) result.delete(key);
    else result.set(key, changed);
  }
  return result.finish();
}

/** The array with each item changed, or left out where the change is undefined; the same array if nothing differs. */
export function mapArray(array: JsonArray, change: (value: JsonValue) => JsonValue | undefined): JsonArray {
  return shareArray(
    array,
    array.map(change).filter((item) => item !== undefined),
  );
}

/** The first array, if the second has the very same items. */
export function shareArray(original: JsonArray, changed: JsonArray): JsonArray {
  return original.length === changed.length && original.every((item, index) => item === changed[index]) ? original : changed;
}
