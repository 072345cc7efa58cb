import { isJsonArray } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { asStep } from "./failed-step.ts";
import { FieldSet } from "./field-set.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { withNamedFields } from "./typed-field-set.ts";
import type { TypedValue, Versions } from "./typed-value.ts";

/** What a manager owns, in the version in which it was applied. */
export interface Owned {
  readonly apiVersion: string;
  readonly fields: FieldSet;
}

/** A merged object, and who has to do with it. */
export interface PruneRequest {
  readonly merged: TypedValue;
  /** What the manager owned when it applied before. */
  readonly last: Owned;
  /** What the manager owns now. */
  readonly now: Owned;
  readonly others: readonly Owned[];
  readonly versions: Versions;
}

/** Removes what the manager owned last time and owns no more, unless another manager does. */
export function prune({ merged, last, now, others, versions }: PruneRequest): TypedValue {
  // Stating again all that was stated before leaves nothing to remove, but what has nothing in it but empty lists, which are in no field set.
  // In other versions it is still found out here whether the object fits them.
  const isOneVersion = [last, ...others].every(({ apiVersion }) => apiVersion === now.apiVersion);
  if (isOneVersion && last.fields.difference(now.fields).isEmpty && !hasEmptyList(merged.value)) return merged;
  const before = asStep("failed to convert merged object to last applied version", () => versions.at(merged, last.apiVersion));
  if (before === undefined) return merged;
  const dropped = withNamedFields(last.fields, before.schema);
  const bare = without(before, dropped);
  const claimed = asStep("failed add back owned items", () => addBackClaimed(before, bare, last.apiVersion, [now, ...others], versions));
  const inLast = asStep("failed add back dangling items: failed to convert pruned object to last applied version", () =>
    versions.at(claimed, last.apiVersion),
  );
  const pruned = addBackForeign(before, inLast ?? before, dropped);
  return versions.at(pruned, now.apiVersion) ?? pruned;
}

/** Puts back what any owner claims. The version that was pruned comes first: conversions may need what is put back in it. */
function addBackClaimed(
  merged: TypedValue,
  bare: TypedValue,
  bareVersion: string,
  owners: readonly Owned[],
  versions: Versions,
): TypedValue {
  const claims = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of owners) claims.set(apiVersion, fields.union(claims.get(apiVersion) ?? FieldSet.empty));
  const byVersion = [...claims].toSorted(([left], [right]) => Number(right === bareVersion) - Number(left === bareVersion));
  let kept = bare;
  for (const [apiVersion, claim] of byVersion) {
    const whole = asStep(`failed to convert merged object at version ${apiVersion}`, () => versions.at(merged, apiVersion));
    const part = asStep(`failed to convert pruned object at version ${apiVersion}`, () => versions.at(kept, apiVersion));
    if (whole === undefined || part === undefined) continue;
    kept = without(whole, namedPaths(whole).difference(namedPaths(part).union(withNamedFields(claim, whole.schema))));
  }
  return kept;
}

/** Puts back what went along with an object or item that was removed, but was never the manager's: others' defaults, say. */
function addBackForeign(merged: TypedValue, pruned: TypedValue, dropped: FieldSet): TypedValue {
  return without(merged, namedPaths(merged).difference(namedPaths(pruned)).intersection(dropped));
}

function without(typed: TypedValue, paths: FieldSet): TypedValue {
  return { ...typed, value: removeItems(typed.value, paths, typed.schema) };
}

function namedPaths({ value, schema }: TypedValue): FieldSet {
  return withNamedFields(toFieldSet(value, schema), schema);
}

function hasEmptyList(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (isJsonArray(value) && value.length === 0) || Object.values(value).some(hasEmptyList);
}
