import type { MergePatch } from "@kaji/client";
import type { KubeObject } from "@kaji/core";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";

/**
 * What to patch a definition with before the wanted one is applied that converts nothing any more. The operator has told the authority of its webhooks there, as a field of its own: an apply
 * would leave that behind, and no server takes it without the rest. Undefined if no conversion ends.
 */
export function endOfConversion(live: KubeObject | undefined, wanted: KubeObject): MergePatch<CustomResourceDefinition> | undefined {
  if (live === undefined || !isDefinition(live) || !isDefinition(wanted)) return undefined;
  if (live.spec.conversion?.webhook === undefined || wanted.spec.conversion?.webhook !== undefined) return undefined;
  return { spec: { versions: wanted.spec.versions, conversion: { strategy: "None", webhook: null } } };
}

function isDefinition(object: KubeObject): object is CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition";
}
