import { jsonOf } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { DecodeError } from "../object-schema.ts";
import type { Decoded } from "../object-schema.ts";

/** A number is beyond all that can be kept. It is infinite in the value that it was read into. */
export class NumberTooLarge extends DecodeError {
  readonly #literal: string;

  constructor(literal: string) {
    super(`json: cannot unmarshal number ${literal} into Go value of type float64`);
    this.#literal = literal;
  }

  /** Reads an object of a value that has the number in it: wherever the object keeps none, it may be. */
  refuseIn(decode: () => Decoded): Decoded {
    try {
      const decoded = decode();
      if (hasInfinity(jsonOf(decoded.object))) throw this;
      return decoded;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new DecodeError(error.message.replace(/number -?Infinity\b/, `number ${this.#literal}`), { cause: error });
    }
  }
}

/** Whether a number in a value is infinite. */
export function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => part !== undefined && hasInfinity(part));
}
