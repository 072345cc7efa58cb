import { fieldOwners, structuralEqual } from "@kaji/core";
import type { FieldDifference, ManagedFieldsEntry } from "@kaji/core";

/** What `metadata.managedFields` said before and says after a change. */
export interface ManagedFields {
  readonly before: readonly ManagedFieldsEntry[];
  readonly after: readonly ManagedFieldsEntry[];
}

/**
 * Who made a difference: the manager that has the field now, and of several the one whose entry changed with it, or changed last. A field that is gone has no
 * manager any more; then it was whoever wrote, or else the one that had it.
 */
export function managerOf({ steps, after }: FieldDifference, managed: ManagedFields): string | undefined {
  const touched = touchedEntries(managed);
  const owners = after === undefined ? [] : fieldOwners(managed.after, steps);
  const found =
    newest(owners.filter((entry) => touched.includes(entry))) ??
    newest(owners) ??
    newest(touched) ??
    newest(fieldOwners(managed.before, steps));
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
