import { KubeClient } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { broughtResources } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { refusalOf } from "../deploy/definition-problems.ts";

/** Throws if an API server would refuse a definition of the operator, as for a rule in CEL: only a server can tell, and an embedded one is asked. */
export async function requireSoundDefinitions(operator: OperatorDefinition): Promise<void> {
  const resources = broughtResources(operator);
  if (resources.length === 0) return;
  // Loaded for nothing else.
  const [{ createMemoryStorage }, { createApiServer }] = await Promise.all([import("@kaji/apiserver"), import("@kaji/cluster")]);
  await using server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
  await using client = new KubeClient(server.transport(), { onWarning: () => {} });
  for (const resource of resources) {
    const definition = resource.crd();
    try {
      await client.create(CustomResourceDefinition, definition, { dryRun: true });
    } catch (error) {
      throw refusalOf(error, definition, "an API server would refuse");
    }
  }
}
