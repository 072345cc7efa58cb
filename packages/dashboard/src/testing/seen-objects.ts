import { resource } from "@kaji/core";
import type { DynamicObject, Resource } from "@kaji/core";
import type { SeenObject } from "../model/kind-table.ts";

/** A kind for tests. */
export const Thing: Resource<DynamicObject> = resource({
  group: "example.com",
  version: "v1",
  kind: "Thing",
  plural: "things",
  scope: "Namespaced",
});

/** An object of it, with its uid for a name unless said otherwise. */
export function seen(
  uid: string,
  options: { readonly name?: string; readonly version?: number; readonly owner?: string; readonly spec?: unknown } = {},
): SeenObject {
  const { name = uid, version = 1, owner, spec } = options;
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: "example.com/v1", kind: "Thing", name: owner, uid: owner, controller: true }];
  const metadata = { name, namespace: "default", uid, resourceVersion: String(version), ownerReferences };
  return { object: { apiVersion: "example.com/v1", kind: "Thing", metadata, spec }, cells: [] };
}
