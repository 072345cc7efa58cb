import { equal } from "./equality.ts";
import { isError, noSuchOverload } from "./value.ts";
import type { MapValue, Value } from "./value.ts";

/** An object that an expression makes of a named type, such as `Object.spec{replicas: 3}`. */
export class MadeObject implements MapValue {
  readonly kind = "map";
  readonly typeName: string;
  readonly #fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    this.typeName = typeName;
    this.#fields = fields;
  }

  get size(): number {
    return this.#fields.size;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload;
    return this.#fields.get(key);
  }

  keys(): readonly string[] {
    return [...this.#fields.keys()];
  }

  equals(other: MapValue): boolean {
    if (!(other instanceof MadeObject) || other.typeName !== this.typeName || other.size !== this.size) return false;
    return this.keys().every((key) => {
      const theirs = other.find(key);
      return theirs !== undefined && equal(this.find(key) ?? null, theirs) === true;
    });
  }
}
