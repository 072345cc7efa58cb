/** The least and the most that a size or a cost can be. Beyond 64 bits it is as much as 64 bits can be. */
export class Estimate {
  static readonly one: Estimate = new Estimate(1, 1);
  static readonly zero: Estimate = new Estimate(0, 0);
  readonly min: number;
  readonly max: number;

  constructor(min: number, max: number) {
    this.min = min;
    this.max = max;
  }

  /** Known exactly. */
  static of(amount: number): Estimate {
    return new Estimate(amount, amount);
  }

  plus(other: Estimate): Estimate {
    return new Estimate(limited(this.min + other.min), limited(this.max + other.max));
  }

  times(other: Estimate): Estimate {
    return new Estimate(limited(this.min * other.min), limited(this.max * other.max));
  }

  /** So many times as much, rounded up. */
  scaled(factor: number): Estimate {
    return new Estimate(limited(Math.ceil(this.min * factor)), limited(Math.ceil(this.max * factor)));
  }

  /** What covers both. */
  union(other: Estimate): Estimate {
    return new Estimate(Math.min(this.min, other.min), Math.max(this.max, other.max));
  }
}

/** As much as there can be. */
export const mostAmount: number = 2 ** 64;

/** Of what nothing is known. */
export const unknown: Estimate = new Estimate(0, mostAmount);

function limited(amount: number): number {
  return Math.min(amount, mostAmount);
}
