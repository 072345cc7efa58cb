import { medians } from "../statistics.ts";
import type { SubjectProgram } from "./subject-program.ts";

/** Measures all subjects in each round, with another one first each time; the medians of their figures. */
export async function inRounds<Measures extends Readonly<Record<keyof Measures, number>>>(
  programs: readonly SubjectProgram[],
  rounds: number,
  measure: (program: SubjectProgram) => Promise<Measures>,
): Promise<ReadonlyMap<string, Measures>> {
  const measured = new Map<string, Measures[]>(programs.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % programs.length;
    for (const program of [...programs.slice(first), ...programs.slice(0, first)]) {
      process.stderr.write(`round ${round + 1} of ${rounds}: ${program.name}\n`);
      measured.get(program.name)?.push(await measure(program));
    }
  }
  return new Map([...measured].map(([name, all]) => [name, medians(all)]));
}
