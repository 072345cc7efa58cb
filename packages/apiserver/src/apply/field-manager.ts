import { ApiError, badRequest, errorMessage, objectOf, refusal, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { conflictError } from "./conflict-error.ts";
import { FieldSet } from "./field-set.ts";
import { lastAppliedFields, lastAppliedManager, withLastApplied } from "./last-applied.ts";
import { decodeManagers, managerKey } from "./managed-fields.ts";
import type { ManagerId, Managers } from "./managed-fields.ts";
import { formatGvk, KindVersions, typedObject } from "./managed-kind.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { capUpdateManagers } from "./manager-cap.ts";
import { Merger } from "./merger.ts";
import type { Applied } from "./merger.ts";
import { managersForUpdate, withManagers, withoutManagers } from "./object-managers.ts";
import { withSharedParts } from "./shared-parts.ts";
import type { TypedValue } from "./typed-value.ts";

/** Who writes, and when. */
export interface Write {
  readonly manager: string;
  /** The version in which the objects of this write are. */
  readonly apiVersion: string;
  /** The subresource written through; default none. */
  readonly subresource?: string | undefined;
  /** The time for `managedFields`: RFC 3339, whole seconds, UTC. Writes through `scale` have none. */
  readonly now: string | undefined;
  /** The object before, absent when it is being created. */
  readonly live?: DynamicObject | undefined;
}

/** A create, update or patch. */
export interface UpdateRequest extends Write {
  /** The object after. */
  readonly next: DynamicObject;
}

/** A server-side apply. */
export interface ApplyRequest extends Write {
  readonly patch: DynamicObject;
  /** Whether to take from others what they own with other values. */
  readonly force: boolean;
}

/** Fields that the server sets or that identify the object: no manager owns them. */
const unowned: FieldSet = FieldSet.ofFields(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ...["name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"].map(
    (field) => ["metadata", field],
  ),
);

/** Owns what is in an object of unknown history when it is applied to for the first time. */
const beforeFirstApply = "before-first-apply";

/** Keeps `metadata.managedFields` of the objects of one kind, and merges what is applied to them. Inputs are never changed. */
export class FieldManager {
  readonly #kind: ManagedKind;

  constructor(kind: ManagedKind) {
    this.#kind = kind;
  }

  /**
   * The object to store for a create, update or patch, with its ownership. Never fails for the sake of ownership: an object
   * of which it cannot be told, because it does not fit its schema, or did not before, is stored without.
   */
  update(request: UpdateRequest): DynamicObject {
    const { live, subresource = "" } = request;
    const next = withSharedParts(withoutManagers(request.next), live);
    const managers = managersForUpdate(live, request.next, subresource);
    // Ownership that was given up, or never kept, starts again with the first apply.
    if (managers.size === 0 && (live?.metadata.uid ?? "") !== "") return next;
    try {
      return withManagers(next, this.#managersAfterUpdate({ ...request, next }, managers));
    } catch {
      return next;
    }
  }

  /** The object to store for a server-side apply; `live` itself when nothing changes. Throws `ApiError`. */
  apply(request: ApplyRequest): DynamicObject {
    const { patch, apiVersion, manager } = request;
    const recorded = orRefuse("failed to decode managed fields: ", () => decodeManagers(request.live?.metadata.managedFields));
    this.#checkKind(patch, apiVersion);
    const live = withoutManagers(request.live ?? this.#empty(apiVersion));
    const managers = recorded.size === 0 ? this.#managersBeforeFirstApply(request, live) : recorded;
    if (Array.isArray(patch.metadata?.managedFields)) throw badRequest("metadata.managedFields must be nil");
    const config = orRefuse(`failed to create typed patch object (${describeObject(patch)}): `, () =>
      this.#typed(patch, apiVersion, "refused"),
    );
    const before = orRefuse(`failed to create typed live object (${describeObject(live)}): `, () =>
      this.#typed(live, apiVersion, "allowed"),
    );
    const merged = orRefuse("", () => this.#merge(request, before, config, managers));
    const changed = !structuralEqual(before.value, merged.value);
    const object = manager === lastAppliedManager ? withLastApplied(objectOf(merged.value), patch) : objectOf(merged.value);
    return withManagers(object, managersAfterApply(request, managers, merged, changed), request.live);
  }

  #managersAfterUpdate(request: UpdateRequest, present: Managers): Managers {
    const { live, next, apiVersion, subresource = "", now } = request;
    const after = this.#typed(this.#kind.shown?.(next, apiVersion) ?? next, apiVersion, "allowed");
    const before = this.#typed(withoutManagers(live ?? this.#empty(apiVersion)), apiVersion, "allowed");
    const { changed, managers } = this.#merger(subresource, apiVersion).update({
      live: before,
      next: after,
      apiVersion,
      managers: present,
    });
    const fields = changed.difference(unowned);
    if (fields.isEmpty) return capUpdateManagers(managers);
    const id = idOf(request, "Update");
    const key = managerKey(id);
    const owned = fields.union(managers.get(key)?.fields ?? FieldSet.empty);
    return capUpdateManagers(new Map(managers).set(key, { ...id, time: now, fields: sameOr(owned, present.get(key)?.fields) }));
  }

  /** The managers with one that stands for all who wrote the object before ownership was recorded. */
  #managersBeforeFirstApply(request: ApplyRequest, next: DynamicObject): Managers {
    if (request.live === undefined) return new Map();
    const failure = `failed to create manager for existing fields: failed to convert new object (${describeObject(next)}) to smd typed: `;
    const write = { ...request, manager: beforeFirstApply, live: undefined, next };
    return orRefuse(failure, () => this.#managersAfterUpdate(write, new Map()));
  }

  /** Conflicts are in the way, but for those over what kubectl itself set by client-side apply. */
  #merge(request: ApplyRequest, live: TypedValue, config: TypedValue, managers: Managers): Merged {
    const { apiVersion, subresource = "", manager } = request;
    const configuration = { live, config, apiVersion, managers, self: managerKey(idOf(request, "Apply")) };
    const merger = this.#merger(subresource, apiVersion);
    const outcome = merger.apply({ ...configuration, force: request.force });
    if (outcome.type === "Merged") return outcome;
    const allowed = manager === lastAppliedManager ? lastAppliedFields(live) : FieldSet.empty;
    const conflicts = outcome.conflicts.filter(({ path }) => !allowed.has(path));
    const forced = conflicts.length === 0 ? merger.apply({ ...configuration, force: true }) : outcome;
    if (forced.type === "Conflicts") throw conflictError(conflicts, managers);
    return forced;
  }

  #checkKind({ apiVersion, kind }: Partial<DynamicObject>, expected: string): void {
    if (apiVersion !== expected || kind !== this.#kind.kind) throw badRequest(`invalid object type: ${formatGvk(apiVersion, kind)}`);
  }

  #merger(subresource: string, apiVersion: string): Merger {
    return new Merger(new KindVersions(this.#kind, subresource, apiVersion));
  }

  #empty(apiVersion: string): DynamicObject {
    return this.#kind.empty?.(apiVersion) ?? objectOf({ apiVersion, kind: this.#kind.kind, metadata: {} });
  }

  #typed(object: DynamicObject, apiVersion: string, duplicates: "allowed" | "refused"): TypedValue {
    return typedObject(object, this.#kind, apiVersion, duplicates);
  }
}

type Merged = Extract<Applied, { readonly type: "Merged" }>;

/** The applier's entry tells the time of the last apply that changed the object, if there was one. */
function managersAfterApply(request: ApplyRequest, before: Managers, merged: Merged, changed: boolean): Managers {
  const id = idOf(request, "Apply");
  const previous = before.get(managerKey(id));
  const fields = sameOr(merged.fields.difference(unowned), previous?.fields);
  if (fields.isEmpty) return merged.managers;
  const same = !changed && previous?.apiVersion === id.apiVersion && previous.fields === fields;
  const managed = same ? previous : { ...id, time: changed ? request.now : previous?.time, fields };
  return new Map(merged.managers).set(managerKey(id), managed);
}

/** What is owned, as the very set from before if that is equal: who writes often writes the same fields, of which all is known then. */
function sameOr(owned: FieldSet, before: FieldSet | undefined): FieldSet {
  return before?.equals(owned) === true ? before : owned;
}

/** Runs a step of which the real server reports a failure in these words. */
function orRefuse<T>(failure: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw refusal("", failure + errorMessage(error));
  }
}

function idOf({ manager, apiVersion, subresource = "" }: Write, operation: ManagerId["operation"]): ManagerId {
  return { manager: manager === "" ? "unknown" : manager, operation, apiVersion, subresource };
}

/** An object as the real server names it in what it says of a step of an apply that failed. */
export function describeObject({ apiVersion, kind, metadata }: Partial<DynamicObject>): string {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return `${text(metadata?.namespace)}/${text(metadata?.name)}; ${formatGvk(apiVersion, kind)}`;
}
