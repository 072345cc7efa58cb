import { resource } from "@kaji/core";
import type { KubeObject, ObjectMeta, Resource } from "@kaji/core";

/** A kind for tests. */
export interface Widget extends KubeObject {
  readonly spec: { readonly size: number; readonly owner?: string; readonly parts?: readonly { readonly name: string }[] };
  readonly status?: { readonly phase: string };
}

export const Widget: Resource<Widget> = resource({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
});

/** A widget in the namespace `shop`, unless its metadata say otherwise. */
export function widget(name: string, spec: Partial<Widget["spec"]> = {}, metadata: Partial<ObjectMeta> = {}): Widget {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, namespace: "shop", ...metadata }, spec: { size: 1, ...spec } };
}
