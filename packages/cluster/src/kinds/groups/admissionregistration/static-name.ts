import type { DynamicObject } from "@kaji/core";

const suffix = ".static.k8s.io";

/** Names with this ending are kept for configurations that are not objects. */
export function staticNameWarnings({ metadata }: DynamicObject): readonly string[] {
  if (!metadata.name.endsWith(suffix)) return [];
  return [
    `metadata.name: names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
  ];
}
