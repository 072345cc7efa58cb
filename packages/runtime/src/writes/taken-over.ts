import { isJsonObject, jsonOf } from "@kaji/core";
import type { JsonObject, KubeObject, ManagedFieldsEntry } from "@kaji/core";

/** Who takes the place of whom. */
export interface Succession {
  readonly fieldManager: string;
  /** The field managers of programs that were there before. */
  readonly takesOver: readonly string[];
}

/** Whether one of those before has set fields of the object. */
export function hasPredecessor({ metadata }: KubeObject, succession: Succession): boolean {
  return metadata.managedFields?.some((entry) => isPredecessor(entry, succession)) === true;
}

/**
 * The record of fields in which all that predecessors have set was applied by the successor; undefined if there is no such field.
 *
 * Server-side apply removes a field only if nobody else has set it: as long as a predecessor stands in the record, what it has set stays in the object for ever.
 */
export function takenOver(object: KubeObject, succession: Succession): readonly ManagedFieldsEntry[] | undefined {
  if (succession.takesOver.length === 0) return undefined;
  const { apiVersion, metadata } = object;
  const { managedFields = [] } = metadata;
  // Fields of other versions may have other names.
  const isMeant = (entry: ManagedFieldsEntry): boolean => isPredecessor(entry, succession) && entry.apiVersion === apiVersion;
  const inherited = managedFields.filter(isMeant);
  if (inherited.length === 0) return undefined;
  const own = managedFields.find((entry) => isApplied(entry, succession.fieldManager));
  const merged: ManagedFieldsEntry = {
    ...(own ?? { ...inherited[0], manager: succession.fieldManager, operation: "Apply" }),
    fieldsV1: [...(own === undefined ? [] : [own]), ...inherited].map(({ fieldsV1 = {} }) => jsonOf(fieldsV1)).reduce(union),
  };
  return [...managedFields.filter((entry) => entry !== own && !isMeant(entry)), merged];
}

/** Whether the entry is of fields that this manager applied. */
export function isApplied({ manager, operation, subresource = "" }: ManagedFieldsEntry, fieldManager: string): boolean {
  return manager === fieldManager && operation === "Apply" && subresource === "";
}

function isPredecessor(entry: ManagedFieldsEntry, { fieldManager, takesOver }: Succession): boolean {
  const { manager = "", subresource = "" } = entry;
  return subresource === "" && takesOver.includes(manager) && !isApplied(entry, fieldManager);
}

/** The fields of both records (`fieldsV1`). */
function union(left: JsonObject, right: JsonObject): JsonObject {
  const merged = { ...left };
  for (const [member, inside] of Object.entries(right)) {
    const known = merged[member];
    merged[member] = isJsonObject(known) && isJsonObject(inside) ? union(known, inside) : inside;
  }
  return merged;
}
