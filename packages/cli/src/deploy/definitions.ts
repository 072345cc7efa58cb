import { isReason } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import { applyObject, readIfPresent } from "./apply-objects.ts";
import { refusalOf } from "./definition-problems.ts";
import type { Progress } from "./wait-until.ts";

/** Throws if the server would refuse a definition, as it is to be in the end: for a rule, or since objects are stored in a version that it has no longer. Changes nothing. */
export async function requireTakenDefinitions(session: ClusterSession, definitions: readonly CustomResourceDefinition[]): Promise<void> {
  for (const definition of definitions) {
    try {
      const before = await readIfPresent(session, CustomResourceDefinition, definition);
      await applyObject(session, CustomResourceDefinition, definition, { before, dryRun: true });
    } catch (error) {
      throw refusalOf(error, definition, `${session.cluster} refused`);
    }
  }
}

/** Whether the API offers the resources of these definitions yet. */
export async function lookAtDefinitions({ client, signal }: ClusterSession, definitions: readonly KubeObject[]): Promise<Progress> {
  for (const { metadata } of definitions) {
    const { status } = await client.get(CustomResourceDefinition, metadata, { signal });
    const conditions = status?.conditions ?? [];
    const refused = conditions.find(({ type, status: holds }) => type === "NamesAccepted" && holds === "False");
    if (refused !== undefined) {
      throw new CommandError(`${metadata.name} is not accepted: ${refused.message}; remove the other definition, or choose other names`);
    }
    const isEstablished = conditions.some(({ type, status: holds }) => type === "Established" && holds === "True");
    if (!isEstablished) return { done: false, state: `waiting for ${metadata.name} to be established` };
  }
  return { done: true };
}

/** How many objects there are of a resource, in all namespaces; 0 if the cluster does not know it. */
export async function countObjects({ client, signal }: ClusterSession, resource: Resource): Promise<number> {
  try {
    const { items, metadata } = await client.list(resource, { limit: 1, signal });
    return items.length + (metadata.remainingItemCount ?? 0);
  } catch (error) {
    if (isReason(error, "NotFound")) return 0;
    throw error;
  }
}
