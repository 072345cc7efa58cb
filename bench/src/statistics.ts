/** The middle of some numbers; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return (low + high) / 2;
}

/** The smallest of some numbers that so large a share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The median of each figure over several rounds. */
export function medians<Figures extends Readonly<Record<keyof Figures, number>>>(rounds: readonly Figures[]): Figures {
  const [first] = rounds;
  if (first === undefined) throw new Error("nothing was measured");
  const names = Object.keys(first) as (keyof Figures)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Figures;
}
