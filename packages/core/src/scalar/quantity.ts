import { fitsInt64 } from "./int64.ts";
import { formatQuantity, parseQuantity, rescale } from "./quantity-text.ts";
import type { ParsedQuantity, QuantityFormat } from "./quantity-text.ts";

/**
 * An exact amount of something, such as `250m` of CPU or `1.5Gi` of memory. Immutable.
 *
 * What it parses, computes and writes is what apimachinery does. Two quantities of one amount are equal however they are written.
 */
export class Quantity {
  /** The amount is `#mantissa × 10^#scale`. */
  readonly #mantissa: bigint;
  readonly #scale: number;
  readonly #small: boolean;
  readonly #text: string | undefined;
  /** With which suffixes it is written. */
  readonly format: QuantityFormat;

  private constructor({ mantissa, scale, format, small, text }: ParsedQuantity) {
    this.#mantissa = mantissa;
    this.#scale = scale;
    this.#small = small;
    this.#text = text;
    this.format = format;
  }

  /** Nothing: where a sum begins. It takes the format of what is added to it. */
  static readonly zero: Quantity = Quantity.parse("0");

  /** Reads `250m`, `1.5Gi` or `12e6`; throws a `ParseError` for anything else. */
  static parse(text: string): Quantity {
    return new Quantity(parseQuantity(text));
  }

  /** A whole amount, such as a number of bytes. */
  static of(amount: bigint | number, format: QuantityFormat = "DecimalSI"): Quantity {
    if (typeof amount === "number" && !Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a safe integer`);
    const mantissa = BigInt(amount);
    return new Quantity({ mantissa, scale: 0, format, small: fitsInt64(mantissa) });
  }

  /** Negative, zero or positive, as for a sort. */
  compare(other: Quantity): -1 | 0 | 1 {
    const sign = this.sign();
    if (sign !== other.sign()) return sign < other.sign() ? -1 : 1;
    if (this.#scale === other.#scale) return order(this.#mantissa, other.#mantissa);
    // Amounts of different length are told apart without computing them: a scale may be huge.
    const longer = order(this.#length() * sign, other.#length() * sign);
    if (sign === 0 || longer !== 0) return longer;
    const scale = Math.min(this.#scale, other.#scale);
    return order(rescale(this.#mantissa, this.#scale, scale), rescale(other.#mantissa, other.#scale, scale));
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The sum, in this quantity's format, or in the other's if this one is zero. */
  add(other: Quantity): Quantity {
    const small = this.#small && other.#small;
    if (other.isZero()) return this.#with({ small, format: this.isZero() ? other.format : this.format });
    if (this.isZero()) return other.#with({ small });
    const scale = Math.min(this.#scale, other.#scale);
    const left = rescale(this.#mantissa, this.#scale, scale);
    const right = rescale(other.#mantissa, other.#scale, scale);
    return this.#with({ mantissa: left + right, scale, small: small && [left, right, left + right].every(fitsInt64) });
  }

  /** The difference, in this quantity's format, or in the other's if this one is zero. */
  sub(other: Quantity): Quantity {
    return this.add(other.negate());
  }

  negate(): Quantity {
    return this.#with({ mantissa: -this.#mantissa });
  }

  sign(): -1 | 0 | 1 {
    return order(this.#mantissa, 0n);
  }

  isZero(): boolean {
    return this.#mantissa === 0n;
  }

  /** The amount as an integer; a fraction is rounded away from zero. */
  value(): bigint {
    return rescale(this.#mantissa, this.#scale, 0);
  }

  /** The amount in thousandths, such as milli-CPUs; a smaller fraction is rounded away from zero. */
  milliValue(): bigint {
    return rescale(this.#mantissa, this.#scale, -3);
  }

  /**
   * The amount as an int64 if apimachinery has it at hand as one, which is what CEL's `isInteger` asks: a whole number written
   * with a fraction (`1.0`) or in its large representation (`1Ei`) is not.
   */
  asInt64(): bigint | undefined {
    if (!this.#small || this.#scale < 0) return undefined;
    if (this.isZero()) return 0n;
    if (this.#length() > 19) return undefined;
    const value = this.value();
    return fitsInt64(value) ? value : undefined;
  }

  /** The amount as a number, possibly not exact. */
  asApproximateFloat(): number {
    return this.isZero() ? 0 : Number(this.#mantissa) * Number(`1e${this.#scale}`);
  }

  /** As the API server writes it: the canonical form, or the text itself where apimachinery takes it for canonical. */
  toString(): string {
    return this.#text ?? this.canonical();
  }

  /** The canonical form: no fraction, the largest suffix that loses nothing. */
  canonical(): string {
    return formatQuantity(this.#mantissa, this.#scale, this.format);
  }

  toJSON(): string {
    return this.toString();
  }

  /** How many digits there are before the decimal point; not positive for a small fraction. */
  #length(): number {
    return this.#mantissa.toString().length - (this.#mantissa < 0n ? 1 : 0) + this.#scale;
  }

  /** The same with other parts; computed amounts have no text. */
  #with(changes: Partial<ParsedQuantity>): Quantity {
    return new Quantity({ mantissa: this.#mantissa, scale: this.#scale, format: this.format, small: this.#small, ...changes });
  }
}

function order<T extends bigint | number>(left: T, right: T): -1 | 0 | 1 {
  return left < right ? -1 : left > right ? 1 : 0;
}
