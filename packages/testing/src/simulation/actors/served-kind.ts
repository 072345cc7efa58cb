import { parseApiVersion, resource } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";

/** The name of the resource of a kind, if the server has it. */
export type PluralOf = (group: string, kind: string) => string | undefined;

/** The kind of an object, to ask the server by, if it serves it. */
export function servedKind(object: KubeObject, plural: PluralOf): Resource | undefined {
  const { group, version } = parseApiVersion(object.apiVersion);
  const name = plural(group, object.kind);
  const scope = object.metadata.namespace === undefined ? "Cluster" : "Namespaced";
  return name === undefined ? undefined : resource({ group, version, kind: object.kind, plural: name, scope });
}
