import { structuralEqual } from "@kaji/core";
import type { ManagedFieldsEntry } from "@kaji/core";
import type { Difference, Step } from "./differences.ts";

/** What `metadata.managedFields` said before and says after a change. */
export interface ManagedFields {
  readonly before: readonly ManagedFieldsEntry[];
  readonly after: readonly ManagedFieldsEntry[];
}

/**
 * Who made a difference: the manager that has the field now, and of several the one whose entry changed with it, or changed last. A field that is gone has no
 * manager any more; then it was whoever wrote, or else the one that had it.
 */
export function managerOf({ steps, after }: Difference, managed: ManagedFields): string | undefined {
  const touched = touchedEntries(managed);
  const owners = after === undefined ? [] : ownersOf(managed.after, steps);
  const found =
    newest(owners.filter((entry) => touched.includes(entry))) ??
    newest(owners) ??
    newest(touched) ??
    newest(ownersOf(managed.before, steps));
  return found === undefined ? undefined : managerName(found);
}

/** Who wrote, as far as the entries tell. */
export function touchedManagers(managed: ManagedFields): readonly string[] {
  return [...new Set(touchedEntries(managed).map(managerName))];
}

/** Who wrote last, where there is nothing to compare with. */
export function lastManagers({ after }: ManagedFields): readonly string[] {
  const last = newest(after);
  return last === undefined ? [] : [managerName(last)];
}

function touchedEntries({ before, after }: ManagedFields): readonly ManagedFieldsEntry[] {
  return after.filter((entry) => !before.some((old) => structuralEqual(old, entry)));
}

/** Its name, and the subresource it writes: `kubelet (status)`. */
function managerName({ manager = "unknown", subresource = "" }: ManagedFieldsEntry): string {
  return subresource === "" ? manager : `${manager} (${subresource})`;
}

function newest(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries.toSorted(({ time: left = "" }, { time: right = "" }) => (left < right ? 1 : left > right ? -1 : 0))[0];
}

/** The entries that have the field at the end of the steps, or else what is next around it: whoever once wrote `spec` has it still when another has all its fields. */
function ownersOf(entries: readonly ManagedFieldsEntry[], steps: readonly Step[]): readonly ManagedFieldsEntry[] {
  const depths = entries.map((entry) => ownedDepth(entry, steps));
  const deepest = Math.max(...depths);
  return deepest > 0 ? entries.filter((_entry, index) => depths[index] === deepest) : [];
}

/** How many steps lead to what an entry has of a field, itself or as a part of something; 0 where it has nothing of it. */
function ownedDepth({ fieldsV1 }: ManagedFieldsEntry, steps: readonly Step[]): number {
  let fields: unknown = fieldsV1;
  for (const [depth, step] of steps.entries()) {
    if (!isRecord(fields)) return 0;
    if (Object.keys(fields).length === 0) return depth;
    fields = below(fields, step);
  }
  return fields === undefined ? 0 : steps.length;
}

function below(fields: Readonly<Record<string, unknown>>, step: Step): unknown {
  switch (step.type) {
    case "Field":
      return fields[`f:${step.name}`];
    case "Index":
      return fields[`i:${step.index}`];
    case "Item":
      return Object.entries(fields).find(([key]) => key.startsWith("k:") && names(key.slice(2), step.item))?.[1];
  }
}

/** Whether the keys of an entry, such as `{"name":"web"}`, are those of the item. */
function names(keys: string, item: Readonly<Record<string, unknown>>): boolean {
  try {
    const wanted: unknown = JSON.parse(keys);
    return isRecord(wanted) && Object.entries(wanted).every(([field, value]) => item[field] === value);
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
