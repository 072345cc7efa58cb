import { objectKey, parseApiVersion, withGroup } from "@kaji/core";
import type { KubeObject, NamespacedName } from "@kaji/core";
import { withoutUids } from "./uid-text.ts";

/** Names an object in a trace, such as `Deployment.apps default/web`. */
export type ObjectId = `${string} ${string}`;

/** The name of an object in a trace. */
export function objectId({ apiVersion, kind, metadata }: KubeObject): ObjectId {
  return idOf(parseApiVersion(apiVersion).group, kind, metadata);
}

/** The name of an object in a trace, from its parts. */
export function idOf(group: string, kind: string, address: NamespacedName): ObjectId {
  return `${kindName(group, kind)} ${objectKey(address)}`;
}

/** The name of the kind of an object in a trace. */
export function kindOfId(id: ObjectId): string {
  return id.slice(0, id.indexOf(" "));
}

/** The namespace and name in the name of an object in a trace. */
export function keyOfId(id: ObjectId): string {
  return id.slice(id.indexOf(" ") + 1);
}

/** Names a kind in a trace, such as `Deployment.apps`. */
export function kindName(group: string, kind: string): string {
  return withGroup(kind, group);
}

/** The name of an object in a trace, without what the server made up of it: the same in all runs. */
export function stableName(id: string, { metadata }: Pick<KubeObject, "metadata">): string {
  const { generateName, name } = metadata;
  // Where the name says which object it is for, as that of a volume has the uid of its claim, that uid is made up.
  return generateName === undefined ? withoutUids(id) : `${id.slice(0, id.length - name.length)}${generateName}*`;
}
