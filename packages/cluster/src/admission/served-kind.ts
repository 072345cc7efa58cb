import type { Kind, KindRegistry } from "@kaji/apiserver";
import { formatApiVersion } from "@kaji/core";

/** The kind that an object names by `apiVersion` and `kind`, if that version of it is served here. */
export function servedKind({ kinds }: KindRegistry, apiVersion: string, kind: string): Kind | undefined {
  return kinds.find(
    (each) => each.kind === kind && each.versions.some(({ version }) => formatApiVersion({ group: each.group, version }) === apiVersion),
  );
}
