import { jsonOf } from "@kaji/core";
import type { JsonObject, KubeObject } from "@kaji/core";
import type { ApplyConfiguration } from "@kaji/client";
import { isApplied } from "./taken-over.ts";

/** The fields that a manager applied, as the server records them; undefined if it never did. */
export function appliedFields({ metadata }: KubeObject, fieldManager: string): JsonObject | undefined {
  const entry = metadata.managedFields?.find((each) => isApplied(each, fieldManager));
  return entry === undefined ? undefined : jsonOf(entry.fieldsV1 ?? {});
}

/** The fields of a configuration that the server records: not those that name the object. */
export function recordedFields({ apiVersion: _apiVersion, kind: _kind, metadata, ...rest }: ApplyConfiguration<KubeObject>): JsonObject {
  const { name: _name, namespace: _namespace, ...kept } = metadata;
  return jsonOf(Object.keys(kept).length === 0 ? rest : { ...rest, metadata: kept });
}
