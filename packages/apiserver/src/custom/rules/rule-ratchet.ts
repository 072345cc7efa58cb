import type { JsonValue } from "@kaji/core";
import type { Correlation } from "../value/correlation.ts";

/** Whether what a rule complains about was there before an update already, and has not changed: then it is tolerated. */
export class RuleRatchet {
  /** Undefined where nothing can be told to be the same thing before and after. */
  readonly #correlation: Correlation | undefined;
  readonly #value: JsonValue;
  /** The nearest value around this one for which it can be told. */
  readonly #parent: RuleRatchet | undefined;
  #isUnchanged: boolean | undefined;

  constructor(correlation: Correlation | undefined, value: JsonValue, parent?: RuleRatchet) {
    this.#correlation = correlation;
    this.#value = value;
    this.#parent = parent;
  }

  /** Tolerates nothing, as for a new object. */
  static readonly none: RuleRatchet = new RuleRatchet(undefined, null);

  tolerates(): boolean {
    if (this.#correlation === undefined) return this.#parent?.tolerates() ?? false;
    return (this.#isUnchanged ??= this.#correlation.equals(this.#value));
  }

  /** The same for a field. That the type of an object is another is never tolerated. */
  field(name: string, value: JsonValue): RuleRatchet {
    if (this.#correlation === undefined) return this;
    if (this.#parent === undefined && (name === "apiVersion" || name === "kind")) return RuleRatchet.none;
    return new RuleRatchet(this.#correlation.field(name), value, this);
  }

  /** The same for an item of a list. */
  item(value: JsonValue): RuleRatchet {
    return this.#correlation === undefined ? this : new RuleRatchet(this.#correlation.item(value), value, this);
  }
}
