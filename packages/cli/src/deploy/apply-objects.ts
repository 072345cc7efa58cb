import { changedFields, isReason, jsonOf, unlessGone } from "@kaji/core";
import type { JsonObject, KubeObject, Resource } from "@kaji/core";
import type { ServedResource } from "@kaji/client";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { ChangeReport } from "./change-report.ts";
import { refusalOf } from "./definition-problems.ts";
import { endOfConversion } from "./ended-conversion.ts";
import { isOurs, objectName, operatorOf } from "./object-name.ts";
import { schemaChanges } from "./schema-changes.ts";
import { shortList } from "./short-list.ts";

/** Applies objects one after the other, as the operator's: fields that another client has set to something else are taken over. */
export async function applyObjects(
  session: ClusterSession,
  objects: readonly KubeObject[],
  { operator, report, dryRun = false }: { readonly operator: string; readonly report: ChangeReport; readonly dryRun?: boolean },
): Promise<void> {
  for (const object of objects) {
    const resource = await servedResource(session, object);
    const before = await readIfPresent(session, resource, object);
    if (object.kind === "Namespace" && before !== undefined && !isOurs(before, operator)) {
      report.add("kept", object, "it was there before, and stays as it is");
      continue;
    }
    const owner = before === undefined ? undefined : operatorOf(before);
    if (owner !== undefined && owner !== operator)
      report.progress(`warning: ${objectName(object)} was put there for operator ${owner}, and goes with ${operator} from now on`);
    try {
      const { change, fields } = await applyObject(session, resource, object, { before, dryRun });
      report.add(change, object, fields.length === 0 ? undefined : shortList(schemaChanges(fields)));
    } catch (error) {
      // In a dry run the namespace of the object has not been made; what is valid in one is valid in any.
      if (!dryRun || !isReason(error, "NotFound")) throw refusalOf(error, object, `${session.cluster} refused`);
      await applyObject(session, resource, { ...object, metadata: { ...object.metadata, namespace: "default" } }, { dryRun });
      report.add("created", object, `checked in the namespace default, since there is no ${object.metadata.namespace} yet`);
    }
  }
}

/** What applying an object has changed. */
export interface AppliedChange {
  readonly change: "changed" | "created" | "unchanged";
  /** Those that are not as they were before. */
  readonly fields: readonly string[];
}

/** Applies an object of which `before` is there now, and tells what that changed. */
export async function applyObject(
  { client, signal }: ClusterSession,
  resource: Resource,
  object: KubeObject,
  { before, dryRun }: { readonly before?: KubeObject | undefined; readonly dryRun: boolean },
): Promise<AppliedChange> {
  // Said only where it is one: a client that writes nothing goes on to write nothing.
  const options = dryRun ? { dryRun, signal } : { signal };
  const end = endOfConversion(before, object);
  const ended = end === undefined ? undefined : await client.mergePatch(CustomResourceDefinition, object.metadata, end, options);
  // What a dry run has ended is there as before: then the patch tells what the server would take.
  const after = dryRun && ended !== undefined ? ended : await client.apply<KubeObject>(resource, object, { force: true, ...options });
  if (before === undefined) return { change: "created", fields: [] };
  const fields = [...changedFields(writtenPart(before), writtenPart(after)).keys()];
  return { change: fields.length === 0 ? "unchanged" : "changed", fields };
}

/** The object as it is in the cluster; undefined if it is not there. */
export function readIfPresent<T extends KubeObject>(
  { client, signal }: ClusterSession,
  resource: Resource<T>,
  { metadata }: KubeObject,
): Promise<T | undefined> {
  return unlessGone(client.get(resource, metadata, { signal }));
}

/** Whether the cluster knows the kind of an object. */
export async function isServed({ client, signal }: ClusterSession, object: KubeObject): Promise<boolean> {
  try {
    await client.discovery.resourceOf(object, signal);
    return true;
  } catch (error) {
    if (isReason(error, "NotFound")) return false;
    throw error;
  }
}

/** What the cluster calls the kind of an object. */
export async function servedResource({ client, cluster, signal }: ClusterSession, object: KubeObject): Promise<ServedResource> {
  try {
    return await client.discovery.resourceOf(object, signal);
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    const remedy = object.apiVersion.startsWith("cert-manager.io/")
      ? "install cert-manager there, or use --certificates built-in"
      : "install what brings this kind";
    throw new CommandError(`${cluster} has no kind ${object.kind} (${object.apiVersion}) for ${objectName(object)}; ${remedy}`, {
      cause: error,
    });
  }
}

/** What people write of an object: status and versions change all the time. */
function writtenPart({ metadata, ...rest }: KubeObject & { readonly status?: unknown }): JsonObject {
  const { status: _, ...written } = rest;
  return jsonOf({ ...written, metadata: { labels: metadata.labels } });
}
