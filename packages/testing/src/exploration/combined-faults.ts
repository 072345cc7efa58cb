import { seededRandom } from "@kaji/core/testing";
import type { Fault } from "../simulation/plan.ts";

/** Two to four faults that strike the same run, chosen by chance: `count` different choices, or as many as there are. */
export function combinedFaults(faults: readonly Fault[], count: number, seed: number): readonly (readonly Fault[])[] {
  const random = seededRandom(seed);
  const chosen = new Map<string, readonly Fault[]>();
  // Choices repeat where there are few faults.
  for (let tries = 0; chosen.size < count && tries < count * 4 && faults.length > 1; tries++) {
    const size = 2 + Math.floor(random.next() * 3);
    const picked = new Set<number>();
    for (let pick = 0; pick < size; pick++) picked.add(Math.floor(random.next() * faults.length));
    const indices = [...picked].toSorted((left, right) => left - right);
    if (indices.length > 1)
      chosen.set(
        indices.join(),
        indices.map((index) => faults[index]).filter((fault) => fault !== undefined),
      );
  }
  return [...chosen.values()];
}
