import { apiGroups } from "@kaji/types/tables";
import type { KubectlNames } from "./kubectl-names.ts";

/** What the built-in kinds are called by. */
export function builtinNames(): readonly KubectlNames[] {
  return apiGroups().flatMap(({ group, versions }) =>
    versions.flatMap(({ resources }) =>
      resources.map(({ name: plural, kind, singular, shortNames = [] }) => ({ group, kind, singular, plural, shortNames })),
    ),
  );
}
