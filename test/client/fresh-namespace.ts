import type { KubeClient } from "@kaji/client";
import { Namespace } from "@kaji/types/core/v1";

/** A namespace that no other test uses. */
export async function freshNamespace(client: KubeClient): Promise<string> {
  const { metadata } = await client.create(Namespace, { metadata: { generateName: "verbs-" } });
  return metadata.name;
}
