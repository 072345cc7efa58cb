import type { Job } from "@kaji/types/batch/v1";
import type { Pod } from "@kaji/types/core/v1";

/** Where a pod says which part of the work of an Indexed job is its own; also the label that says so. */
export const completionIndexAnnotation = "batch.kubernetes.io/job-completion-index";

/** Whether each pod of a job has a part of the work of its own, which has a number. */
export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === "Indexed";
}

/** The index of a pod; undefined if it has none that is one of the job's. */
export function indexOf({ metadata }: Pod, job: Job): number | undefined {
  const text = metadata.annotations?.[completionIndexAnnotation] ?? "";
  const index = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined;
}

/** The indexes in a text such as `0,2-4`, below the number of completions; what makes no sense is passed over. */
export function readIndexes(text: string, completions: number): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of text.split(",")) {
    const [, first = "", last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    if (first === "") continue;
    for (let index = Number(first); index <= Number(last) && index < completions; index++) indexes.add(index);
  }
  return indexes;
}

/** Indexes as a text in which three and more that follow each other are shown as a range. */
export function indexText(indexes: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const index of [...indexes].toSorted((left, right) => left - right)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) => (first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`))
    .join(",");
}
