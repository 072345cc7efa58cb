import { structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";

/**
 * The next object with those of its parts that say the same as in the live one being the live one's: whatever looks at both
 * from here on can tell at a glance that they have not changed.
 */
export function withSharedParts(next: DynamicObject, live: DynamicObject | undefined): DynamicObject {
  if (live === undefined) return next;
  let shared: Record<string, unknown> | undefined;
  for (const name of Object.keys(next)) {
    const [part, before] = [next[name], live[name]];
    if (typeof part !== "object" || part === before || !structuralEqual(part, before)) continue;
    (shared ??= {})[name] = before;
  }
  return shared === undefined ? next : { ...next, ...shared };
}
