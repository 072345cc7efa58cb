import { stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { internalForm } from "../internal-form.ts";
import { unifiedDiff } from "../unified-diff.ts";

/** Where two `spec`s of a pod differ, as the server shows it: in its internal form. */
export function podSpecDiff(before: JsonObject, after: JsonObject): string {
  return diff(internalForm("core.v1.PodSpec", before), internalForm("core.v1.PodSpec", after));
}

/** Where two ephemeral containers differ. */
export function ephemeralContainerDiff(before: JsonObject, after: JsonObject): string {
  return diff(internalForm("core.v1.EphemeralContainer", before), internalForm("core.v1.EphemeralContainer", after));
}

/** Where two `spec`s of a claim differ. */
export function claimSpecDiff(before: JsonObject, after: JsonObject): string {
  return diff(internalForm("core.v1.PersistentVolumeClaimSpec", before), internalForm("core.v1.PersistentVolumeClaimSpec", after));
}

/** Where the sources of two persistent volumes differ. */
export function volumeSourceDiff(before: JsonObject, after: JsonObject): string {
  return diff(internalForm("core.v1.PersistentVolumeSource", before), internalForm("core.v1.PersistentVolumeSource", after));
}

function diff(before: JsonValue, after: JsonValue): string {
  return unifiedDiff(stringifyJson(before, 1), stringifyJson(after, 1));
}
