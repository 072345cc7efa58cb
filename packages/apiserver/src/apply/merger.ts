import { asStep } from "./failed-step.ts";
import type { JsonValue } from "@kaji/core";
import { Comparisons } from "./comparisons.ts";
import { FieldSet } from "./field-set.ts";
import { owning } from "./managed-fields.ts";
import type { ManagedSet, Managers } from "./managed-fields.ts";
import { merge } from "./merge.ts";
import type { Path } from "./path-element.ts";
import { prune } from "./prune.ts";
import { toFieldSet } from "./to-field-set.ts";
import { reconcileWithSchema } from "./typed-field-set.ts";
import type { TypedValue, Versions } from "./typed-value.ts";

/** A write that replaces an object. */
export interface Replacement {
  readonly live: TypedValue;
  readonly next: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
}

/** What a write changes, and what is left to the managers that were there. */
export interface Displacement {
  readonly changed: FieldSet;
  readonly managers: Managers;
}

/** A write that states what its manager wants. */
export interface Configuration {
  readonly live: TypedValue;
  readonly config: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
  /** The key of the manager that applies. */
  readonly self: string;
  /** Whether to take from others what they own with other values. */
  readonly force: boolean;
}

/** What applying comes to: a merged object, with what is the manager's and what is left to the others; or conflicts. */
export type Applied =
  | { readonly type: "Merged"; readonly value: JsonValue; readonly fields: FieldSet; readonly managers: Managers }
  | { readonly type: "Conflicts"; readonly conflicts: readonly Conflict[] };

/** A path that another manager owns with another value. */
export interface Conflict {
  /** The key of the other manager. */
  readonly owner: string;
  readonly path: Path;
}

/** Merges configurations into objects of one kind, and tells who owns what afterwards. */
export class Merger {
  readonly #versions: Versions;

  constructor(versions: Versions) {
    this.#versions = versions;
  }

  /** Managers lose what another one's write changes. */
  update({ live, next, apiVersion, managers }: Replacement): Displacement {
    const comparisons = new Comparisons(live, next, this.#versions);
    const { added = FieldSet.empty, modified = FieldSet.empty } = comparisons.at(apiVersion) ?? {};
    return { changed: modified.union(added), managers: displaced(this.#reconciled(live, managers), comparisons) };
  }

  /** What the manager stated before and leaves out now goes, unless others own it. */
  apply({ live, config, apiVersion, managers, self, force }: Configuration): Applied {
    const versions = this.#versions;
    const others = new Map(this.#reconciled(live, managers));
    const last = others.get(self);
    others.delete(self);
    const fields = toFieldSet(config.value, config.schema).recursiveDifference(versions.ignoredAt(apiVersion) ?? FieldSet.empty);
    const merged = { ...live, value: merge(live.value, config.value, live.schema) };
    const now = { apiVersion, fields };
    const pruned = (of: ManagedSet): TypedValue => prune({ merged, last: of, now, others: [...others.values()], versions });
    const next = last === undefined ? merged : asStep("failed to prune fields", () => pruned(last));
    const comparisons = new Comparisons(live, next, versions);
    const conflicts = force ? [] : conflictsOf(others, comparisons);
    if (conflicts.length > 0) return { type: "Conflicts", conflicts };
    return { type: "Merged", value: next.value, fields, managers: displaced(others, comparisons) };
  }

  /** Managers with sets that fit the schemas of today; those of versions that are no more are gone. */
  #reconciled(live: TypedValue, managers: Managers): Managers {
    const reconciled = new Map<string, ManagedSet>();
    for (const [key, managed] of managers) {
      const typed = this.#versions.at(live, managed.apiVersion);
      if (typed !== undefined) reconciled.set(key, owning(managed, reconcileWithSchema(managed.fields, typed.schema)));
    }
    return reconciled;
  }
}

/** Managers without what has changed; those who lose everything are gone. */
function displaced(managers: Managers, comparisons: Comparisons): Managers {
  const remaining = new Map<string, ManagedSet>();
  for (const [key, managed] of managers) {
    const comparison = comparisons.at(managed.apiVersion);
    if (comparison === undefined) continue;
    const { added, modified, removed } = comparison;
    const fields = managed.fields.difference(modified).difference(added).difference(removed);
    if (!fields.isEmpty) remaining.set(key, owning(managed, fields));
  }
  return remaining;
}

function conflictsOf(managers: Managers, comparisons: Comparisons): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [owner, { apiVersion, fields }] of managers) {
    const comparison = comparisons.at(apiVersion);
    if (comparison === undefined) continue;
    const contested = fields.intersection(comparison.modified.union(comparison.added));
    for (const path of contested.paths()) conflicts.push({ owner, path });
  }
  return conflicts;
}
