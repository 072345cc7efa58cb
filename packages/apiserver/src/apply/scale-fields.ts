import type { ManagedFieldsEntry } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import { decodeManagers, encodeManagers, owning } from "./managed-fields.ts";
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
 * object; whoever has come to own them gets them, in an entry that, as on the real server, has no time. Whoever owned them by an
 * update counts as somebody else, since updates are told apart by version and that of the Scale is another.
 */
export function managedFieldsAfterScale({ entries, scaleEntries, apiVersion, paths }: ScaleWrite): readonly ManagedFieldsEntry[] {
  const newOwners = new Map([...decodeManagers(scaleEntries)].filter(([, { fields }]) => fields.has(scaleReplicas)));
  const after = new Map<string, ManagedSet>();
  for (const [key, managed] of decodeManagers(entries)) {
    if (!paths.has(managed.apiVersion)) continue;
    const path = replicasPath(paths, managed.apiVersion);
    const lost = path !== undefined && managed.fields.has(path) && !newOwners.delete(key);
    const kept = lost ? owning(managed, managed.fields.difference(FieldSet.of(path))) : managed;
    if (!kept.fields.isEmpty) after.set(key, kept);
  }
  const replicas = replicasPath(paths, apiVersion);
  for (const [key, { manager, operation, subresource }] of newOwners) {
    if (replicas === undefined) break;
    after.set(key, { manager, operation, subresource, apiVersion, time: undefined, fields: FieldSet.of(replicas) });
  }
  return encodeManagers(after);
}

function replicasPath(paths: ReplicasPaths, apiVersion: string): Path | undefined {
  return paths.get(apiVersion)?.map(fieldElement);
}
