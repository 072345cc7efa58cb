/** How many tests there were, and how they ended. What is in none of the others has failed. */
export interface Counts {
  readonly tests: number;
  readonly passed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

/** The sums of all. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts): number => all.reduce((before, counts) => before + counts[name], 0);
  return { tests: sum("tests"), passed: sum("passed"), cancelled: sum("cancelled"), skipped: sum("skipped"), todo: sum("todo") };
}

/** How many have failed. */
export function failedOf({ tests, passed, cancelled, skipped, todo }: Counts): number {
  return tests - passed - cancelled - skipped - todo;
}
