import { formatApiVersion } from "@kaji/core";
import type { KubeObject, OwnerReference, Resource } from "@kaji/core";

/** The reference that makes an object the controller of another. */
export function controllerReference(resource: Resource, { metadata }: KubeObject): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion: formatApiVersion(resource), kind: resource.kind, name, uid, controller: true, blockOwnerDeletion: true };
}
