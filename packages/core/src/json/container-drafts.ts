import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonArray, JsonObject, JsonValue } from "./json.ts";

/**
 * The containers that a change of many steps has made. Each is copied once, at the first step that changes it; from then on it is changed in place,
 * since nobody else has it. What contains one of these is one of these itself.
 */
export class ContainerDrafts {
  /** From each object and array to itself, as one that can be written to. */
  readonly #objects = new WeakMap<JsonObject, Record<string, JsonValue | undefined>>();
  readonly #arrays = new WeakMap<JsonArray, JsonValue[]>();

  /** What to write to in place of an object: the object itself, if it was made here. */
  object(original: JsonObject): Record<string, JsonValue | undefined> {
    const known = this.#objects.get(original);
    if (known !== undefined) return known;
    const draft = { ...original };
    this.#objects.set(draft, draft);
    return draft;
  }

  /** The same for an array. */
  array(original: JsonArray): JsonValue[] {
    const known = this.#arrays.get(original);
    if (known !== undefined) return known;
    const draft = [...original];
    this.#arrays.set(draft, draft);
    return draft;
  }

  /** A value as it is now, for a second place: no later step changes it. */
  snapshot(value: JsonValue): JsonValue {
    if (isJsonArray(value)) return this.#arrays.has(value) ? value.map((item) => this.snapshot(item)) : value;
    if (!isJsonObject(value) || !this.#objects.has(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field = null]) => [key, this.snapshot(field)]));
  }
}
