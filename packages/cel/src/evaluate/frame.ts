import type { Meter, Value } from "../value/value.ts";

/** Thrown when an evaluation has cost more than it may. */
export class CostExceeded extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Thrown where upstream cannot count the cost of a step and ends the evaluation as a whole: nothing absorbs that. */
export class Uncountable extends Error {
  constructor(expected: string) {
    super(`internal error: interface conversion: ${expected}`);
  }
}

/** The limit of uncharged steps: they take some seconds at most. */
const mostSteps = 2_000_000;

/** One evaluation: the values of the variables, and what it has cost so far. */
export class Frame implements Meter {
  /** By the number that the plan has given to each variable; those of loops are set while the loop runs. */
  readonly slots: (Value | undefined)[];
  readonly #limit: number;
  #cost = 0;
  #steps = 0;

  constructor(slots: (Value | undefined)[], limit: number) {
    this.slots = slots;
    this.#limit = limit;
  }

  get cost(): number {
    return this.#cost;
  }

  /** Counts steps that cost nothing upstream however many they are, such as those of a comparison of nested objects. */
  step(count: number): void {
    this.#steps += count;
    if (this.#steps > mostSteps) throw new CostExceeded();
  }

  /** Counts a step. Called before the step is made, so that none is made that is too expensive. */
  charge(cost: number): void {
    this.#cost += cost;
    // What is no number is no less than the limit.
    if (!(this.#cost <= this.#limit)) throw new CostExceeded();
  }
}
