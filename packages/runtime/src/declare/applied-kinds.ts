import type { Resource } from "@kaji/core";
import type { Controller } from "./define-controller.ts";

/** The kinds whose objects a controller may apply. */
export function appliedKinds({ owns, watches }: Pick<Controller, "owns" | "watches">): readonly Resource[] {
  const applied = [
    ...owns.filter((child) => child.applied ?? true),
    ...watches.filter(({ verbs }) => verbs.includes("create") && verbs.includes("patch")),
  ];
  return applied.map(({ resource }) => resource);
}
