import type { AdmissionPlugin, AdmissionRequest, Authorizer, KindRegistry, ResourceAccess } from "@kaji/apiserver";
import { parseApiVersion, structuralEqual } from "@kaji/core";
import type { DynamicObject, OwnerReference } from "@kaji/core";
import { refusedObject } from "./refused-object.ts";

/** Who may do what, and the kinds that owners can be of. */
export interface OwnerPermissionSources {
  readonly authorize: Authorizer;
  readonly kinds: () => KindRegistry;
}

/** A plugin that is off by default, as it is in Kubernetes; OpenShift has it on. */
export const ownerReferencesPermissionName = "OwnerReferencesPermissionEnforcement";

/** Lets only those change the owners of an object who may delete it, and only those have it block the deletion of an owner who may set that owner's finalizers. */
export function ownerReferencesPermission(sources: OwnerPermissionSources): AdmissionPlugin {
  return {
    name: ownerReferencesPermissionName,
    validate: async (request) => {
      const { operation, object, oldObject } = request;
      if ((operation !== "CREATE" && operation !== "UPDATE") || object === undefined) return;
      if (structuralEqual(ownersOf(object), ownersOf(oldObject))) return;
      if (operation === "UPDATE") await requireDelete(sources, request);
      const blocked = newlyBlocked(ownersOf(object), ownersOf(oldObject));
      if (blocked.length > 0) await requireFinalizers(sources, request, blocked);
    },
  };
}

/** Whoever creates an object could have left it, so that only who changes one must be allowed to delete it. */
async function requireDelete(sources: OwnerPermissionSources, request: AdmissionRequest): Promise<void> {
  const { kind, version, namespace, name, subresource } = request.target;
  const access = { group: kind.group, version: version.version, resource: kind.plural, subresource, namespace, name } as const;
  const why = await refusalOf(sources, request, { ...access, verb: "delete" });
  if (why !== undefined) throw refusedObject(request, `cannot set an ownerRef on a resource you can't delete: ${why}`);
}

async function requireFinalizers(
  sources: OwnerPermissionSources,
  request: AdmissionRequest,
  owners: readonly OwnerReference[],
): Promise<void> {
  const update = { verb: "update", subresource: "finalizers" } as const;
  const anything = { ...update, group: "*", version: "*", resource: "*", namespace: undefined, name: "*" } as const;
  if ((await refusalOf(sources, request, anything)) === undefined) return;
  for (const { apiVersion, kind, name } of owners) {
    const owner = sources.kinds().named({ apiVersion, kind })?.kind;
    if (owner === undefined) {
      const what = `APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`;
      throw refusedObject(request, `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ${what}`);
    }
    // An owner in a namespace is in that of the object.
    const namespace = owner.scope === "Namespaced" ? request.target.namespace : undefined;
    const why = await refusalOf(sources, request, { ...update, ...parseApiVersion(apiVersion), resource: owner.plural, namespace, name });
    if (why === undefined) continue;
    throw refusedObject(
      request,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${why}`,
    );
  }
}

/** Why the user may not do something, in the words of a real server; undefined if he may. */
async function refusalOf(
  { authorize }: OwnerPermissionSources,
  { context: { user } }: AdmissionRequest,
  access: Omit<ResourceAccess, "type">,
): Promise<string | undefined> {
  const { allowed, reason } = await authorize(user, { type: "Resource", ...access });
  return allowed ? undefined : `${reason}, <nil>`;
}

function ownersOf(object: DynamicObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

/** Those whose deletion is blocked now, and was not before. */
function newlyBlocked(owners: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const known = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid));
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !known.has(uid));
}
