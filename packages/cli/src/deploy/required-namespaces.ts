import { isReason } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { Namespace } from "@kaji/types/core/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import { readIfPresent } from "./apply-objects.ts";
import { objectName } from "./object-name.ts";

/** Fails before anything is changed where an object is to be in a namespace that is neither there nor among the objects: an operator does not make the namespaces of others. */
export async function requireNamespaces(session: ClusterSession, objects: readonly KubeObject[]): Promise<void> {
  const made = new Set(objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name));
  const byNamespace = Map.groupBy(objects, ({ metadata }) => metadata.namespace);
  for (const [namespace, [object]] of byNamespace) {
    if (namespace === undefined || object === undefined || made.has(namespace) || (await isThere(session, namespace))) continue;
    throw new CommandError(
      `${session.cluster} has no namespace ${namespace} for ${objectName(object)}; make it first: kubectl create namespace ${namespace}`,
    );
  }
}

/** Who may not look at namespaces may still write into them. */
async function isThere(session: ClusterSession, name: string): Promise<boolean> {
  try {
    return (await readIfPresent(session, Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } })) !== undefined;
  } catch (error) {
    if (isReason(error, "Forbidden")) return true;
    throw error;
  }
}
