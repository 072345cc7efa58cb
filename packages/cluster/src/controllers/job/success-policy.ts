import type { Job, SuccessPolicyRule } from "@kaji/types/batch/v1";
import { readIndexes } from "./job-indexes.ts";

/** What says that a job has succeeded though not all of its indexes have; undefined if no rule does. */
export function successMessage({ spec }: Job, succeeded: ReadonlySet<number>): string | undefined {
  const rules = succeeded.size === 0 ? [] : (spec?.successPolicy?.rules ?? []);
  const index = rules.findIndex((rule) => isMet(rule, spec?.completions ?? 0, succeeded));
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function isMet(
  { succeededIndexes, succeededCount = Infinity }: SuccessPolicyRule,
  completions: number,
  succeeded: ReadonlySet<number>,
): boolean {
  if (succeededIndexes === undefined) return succeeded.size >= succeededCount;
  const required = readIndexes(succeededIndexes, completions);
  if (required.size === 0) return false;
  const met = required.intersection(succeeded).size;
  return met === required.size || met >= succeededCount;
}
