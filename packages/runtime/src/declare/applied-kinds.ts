import type { Resource } from "@kaji/core";
import type { Controller } from "./define-controller.ts";

/** The kinds whose objects a controller may apply, or ask whether they are as it did: the server's record of that is kept of them. */
export function appliedKinds({ owns, watches }: Pick<Controller, "owns" | "watches">): readonly Resource[] {
  const applied = [...owns.filter((child) => child.applied ?? true), ...watches.filter((watched) => watched.applied ?? false)];
  return applied.map(({ resource }) => resource);
}
