import type { ManagedFieldsEntry } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import { decodeManagers, encodeManagers, managerKey, owning } from "./managed-fields.ts";
import type { ManagedSet } from "./managed-fields.ts";
import { fieldElement } from "./path-element.ts";
import type { Path } from "./path-element.ts";

const scaleVersion = "autoscaling/v1";
const scaleReplicas: Path = ["spec", "replicas"].map(fieldElement);

/** Where the replicas are in an object, at each of its versions; undefined in versions that have none. Other versions are unknown. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/** The ownership that the Scale of an object shows: who owns its replicas. */
export function scaleManagedFields(entries: readonly ManagedFieldsEntry[], paths: ReplicasPaths): readonly ManagedFieldsEntry[] {
  const shown = new Map<string, ManagedSet>();
  for (const [key, managed] of decodeManagers(entries)) {
    const path = replicasPath(paths, managed.apiVersion);
    if (path !== undefined && managed.fields.has(path))
      shown.set(key, { ...owning(managed, FieldSet.of(scaleReplicas)), apiVersion: scaleVersion });
  }
  return encodeManagers(shown);
}

/** A write to the Scale of an object. */
export interface ScaleWrite {
  /** The managed fields of the object. */
  readonly entries: readonly ManagedFieldsEntry[];
  /** The managed fields of the Scale after the write. */
  readonly scaleEntries: readonly ManagedFieldsEntry[];
  /** The version of the object. */
  readonly apiVersion: string;
  readonly paths: ReplicasPaths;
}

/**
 * The ownership of an object after a write to its Scale. Whoever no longer owns the replicas of the Scale loses those of the
 * object; whoever has come to own them gets them, in an entry that, as on the real server, has no time.
 */
export function managedFieldsAfterScale({ entries, scaleEntries, apiVersion, paths }: ScaleWrite): readonly ManagedFieldsEntry[] {
  const newOwners = new Map<string, ManagedSet>();
  for (const managed of decodeManagers(scaleEntries).values()) {
    if (managed.fields.has(scaleReplicas)) newOwners.set(keyAnywhere(managed), managed);
  }
  const after = new Map<string, ManagedSet>();
  for (const [key, managed] of decodeManagers(entries)) {
    if (!paths.has(managed.apiVersion)) continue;
    const path = replicasPath(paths, managed.apiVersion);
    const lost = path !== undefined && managed.fields.has(path) && !newOwners.delete(keyAnywhere(managed));
    const kept = lost ? owning(managed, managed.fields.difference(FieldSet.of(path))) : managed;
    if (!kept.fields.isEmpty) after.set(key, kept);
  }
  const replicas = replicasPath(paths, apiVersion);
  for (const { manager, operation, subresource } of newOwners.values()) {
    if (replicas === undefined) break;
    const managed = { manager, operation, subresource, apiVersion, time: undefined, fields: FieldSet.of(replicas) };
    after.set(managerKey(managed), managed);
  }
  return encodeManagers(after);
}

function replicasPath(paths: ReplicasPaths, apiVersion: string): Path | undefined {
  return paths.get(apiVersion)?.map(fieldElement);
}

/** The same manager whether it is seen on the object or on its Scale, which are of different versions. */
function keyAnywhere(managed: ManagedSet): string {
  return managerKey({ ...managed, apiVersion: "" });
}
