import { stringifyJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { internalForm } from "../internal-form.ts";
import { structSchemas } from "../struct-schemas.ts";
import { unifiedDiff } from "../unified-diff.ts";

/** Where two `spec`s of a pod differ, as the server shows it: in its internal form. */
export function podSpecDiff(before: JsonObject, after: JsonObject): string {
  return diff("core.v1.PodSpec", before, after);
}

/** Where two ephemeral containers differ. */
export function ephemeralContainerDiff(before: JsonObject, after: JsonObject): string {
  return diff("core.v1.EphemeralContainer", before, after);
}

/** Where two `spec`s of a claim differ. */
export function claimSpecDiff(before: JsonObject, after: JsonObject): string {
  return diff("core.v1.PersistentVolumeClaimSpec", before, after);
}

/** Where the sources of two persistent volumes differ. */
export function volumeSourceDiff(before: JsonObject, after: JsonObject): string {
  return diff("core.v1.PersistentVolumeSource", before, after);
}

/** What was before came out of storage, so that no list or map of it is empty. */
function diff(struct: string, before: JsonObject, after: JsonObject): string {
  const shown = (value: JsonObject): string => stringifyJson(internalForm(struct, value), 1);
  return unifiedDiff(shown(structSchemas.kept(before, struct)), shown(after));
}
