import type { KubeClient } from "@kaji/client";
import { resourcePath } from "@kaji/core";
import type { DynamicObject, JsonObject, Resource } from "@kaji/core";
import { worldManager } from "./actors/actor.ts";

/** Patches a status as the world does. Nobody reads the answer, so that it is not parsed. */
export function patchStatus(client: KubeClient, kind: Resource, { metadata }: DynamicObject, status: JsonObject): Promise<unknown> {
  const { name, namespace } = metadata;
  const path = resourcePath(kind, { namespace, name, subresource: "status" });
  const query = { fieldManager: worldManager };
  return client.api.bytes({ method: "PATCH", path, query, contentType: "application/merge-patch+json", body: { status } });
}
