import { formatApiVersion, isDefinition, isReason, withGroup } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { MirroredKind } from "../controller/running-controller.ts";

/** A kind that a part of an operator mirrors, and in which namespaces. */
export interface WantedKind {
  /** Who mirrors it, such as `controller web`. */
  readonly who: string;
  /** What its declaration asks for. */
  readonly verbs: readonly string[];
  readonly resource: Resource;
  /** Undefined: in all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
}

/** Why a kind cannot be mirrored before a user changes the cluster, and what to change; undefined when waiting may help. */
export function refusedKind({ who, verbs, resource, namespaces }: WantedKind, error: unknown): string | undefined {
  const kind = `${resource.kind} (${withGroup(resource.plural, resource.group)})`;
  if (isReason(error, "Forbidden")) {
    const isNamespaced = namespaces !== undefined && resource.scope === "Namespaced";
    const role = isNamespaced ? `its Role in ${namespaces.join(", ")}` : "its ClusterRole";
    const rule = `{ apiGroups: ["${resource.group}"], resources: ["${resource.plural}"], verbs: [${verbs.map((verb) => `"${verb}"`).join(", ")}] }`;
    return `${who} may not list and watch ${kind}: ${error.status.message ?? "forbidden"}; add to ${role}: ${rule}`;
  }
  if (isReason(error, "NotFound", "MethodNotAllowed")) {
    return `${who} needs the kind ${kind}, but the server does not serve it in ${formatApiVersion(resource)}; ${missingRemedy(resource)}`;
  }
  if (isReason(error, "Unauthorized")) return `${who} cannot list ${kind}: the server does not accept the credentials; renew them`;
  return undefined;
}

function missingRemedy(resource: Resource): string {
  if (!resource.group.includes(".")) return "it may be too old or too new";
  const remedy = "install its CustomResourceDefinition, or the API server that serves it";
  // One that is read but looked after by nobody is installed with the operator only if that says so.
  return isDefinition(resource) ? `${remedy}; if it is the operator's own, add it to the resources of defineOperator` : remedy;
}

/** Why a kind is not synced yet. */
export function slowKind({ resource, state }: Pick<MirroredKind, "resource" | "state">): string {
  const why = state.type === "Failing" && state.error instanceof Error ? state.error.message : "the list is not complete yet";
  return `${withGroup(resource.plural, resource.group)}: ${why}`;
}
