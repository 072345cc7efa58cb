import { isReason } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { broughtResources } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import { counted } from "../counted.ts";
import type { ChangeReport } from "./change-report.ts";
import { countObjects } from "./definitions.ts";
import { objectName } from "./object-name.ts";

/** What goes, and what is asked for to go with it. */
export interface RemovalExtent {
  /** Whether the operator goes, and not only its definitions. */
  readonly operatorGoes: boolean;
  /** Whether definitions with objects go too. */
  readonly deleteObjects: boolean;
  /** Whether the operator goes even if that leaves objects which nobody can read. */
  readonly leaveObjects: boolean;
}

/**
 * The definitions without objects; those with objects are kept, unless they are to go too. Objects in several versions that only the operator converts would be out of reach for everybody when it
 * has gone, the cluster's own garbage collection and deletion of namespaces included: then it refuses.
 */
export async function removableDefinitions(
  session: ClusterSession,
  operator: OperatorDefinition,
  { crds, extent, report }: { readonly crds: readonly KubeObject[]; readonly extent: RemovalExtent; readonly report: ChangeReport },
): Promise<readonly KubeObject[]> {
  if (extent.deleteObjects) return crds;
  const counts = new Map<string, number | "Unreadable">();
  for (const resource of broughtResources(operator)) counts.set(resource.crd().metadata.name, await countReadable(session, resource));
  const countOf = ({ metadata }: KubeObject): number | "Unreadable" => counts.get(metadata.name) ?? 0;
  const converted = new Set(operator.conversions.map(({ resource }) => resource.crd().metadata.name));
  const finalized = new Set(
    operator.controllers.flatMap(({ finalizer, resource: { group, plural } }) => (finalizer === undefined ? [] : `${plural}.${group}`)),
  );
  for (const crd of crds) {
    const count = countOf(crd);
    if (count === 0) continue;
    if (count === "Unreadable") {
      report.add(
        "kept",
        crd,
        "its objects cannot be read without the operator that converts them; deploy it again to remove them with --delete-objects",
      );
      continue;
    }
    const objects = counted(count, "object");
    if (extent.operatorGoes && !extent.leaveObjects && converted.has(crd.metadata.name)) {
      throw new CommandError(
        `nothing was removed: ${objectName(crd)} has ${objects} that only this operator converts between versions, and without it nobody could read them; ` +
          "--delete-objects removes them too, --leave-objects leaves them as they are",
      );
    }
    const waiting =
      extent.operatorGoes && finalized.has(crd.metadata.name) ? "; deleted later, they wait for the operator to come back" : "";
    report.add("kept", crd, `it has ${objects}, which --delete-objects removes with it${waiting}`);
  }
  return crds.filter((crd) => countOf(crd) === 0);
}

async function countReadable(session: ClusterSession, resource: Parameters<typeof countObjects>[1]): Promise<number | "Unreadable"> {
  try {
    return await countObjects(session, resource);
  } catch (error) {
    // A server that cannot convert says so without a reason of its own.
    if (error instanceof Error && !isReason(error, "Forbidden", "Unauthorized") && error.message.startsWith("conversion webhook for "))
      return "Unreadable";
    throw error;
  }
}
