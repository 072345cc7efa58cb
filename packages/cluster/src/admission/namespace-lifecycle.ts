import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import { forbidden, notFound, refusal } from "@kaji/core";
import type { StoredObjects } from "./stored-objects.ts";

const namespaces = { group: "", plural: "namespaces" };

/** Namespaces a cluster cannot be without. */
const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Keeps objects out of namespaces that do not exist or are ending, and namespaces in place that must not end. */
export function namespaceLifecycle(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    // It changes nothing; it runs here because the API server validates the object only after `mutate`, and this refusal comes first.
    mutate: (request) => {
      requireNamespace(objects, request);
      return request.object;
    },
    // A namespace can come to its end while webhooks are asked about an object in it.
    guard: (request) => {
      const { namespace } = request.target;
      if (namespace === undefined) return undefined;
      return { pending: () => objects.pending(keyOf(namespace)), confirm: () => requireNamespace(objects, request) };
    },
    validate: ({ operation, target: { kind, name = "" } }) => {
      const isImmortal = kind.group === "" && kind.plural === "namespaces" && immortal.has(name);
      if (operation === "DELETE" && isImmortal) throw forbidden(namespaces, name, "this namespace may not be deleted");
    },
  };
}

/** Refuses a new object whose namespace is not there, or will not be for long. */
function requireNamespace(objects: StoredObjects, { operation, target: { kind, namespace }, object }: AdmissionRequest): void {
  if (operation !== "CREATE" || namespace === undefined || isAccessReview(kind)) return;
  const found = objects.get(keyOf(namespace));
  if (found === undefined) throw notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp !== undefined) throw terminating(kind, object?.metadata.name ?? "", namespace);
}

function keyOf(namespace: string): string {
  return `/registry/namespaces/${namespace}`;
}

/** Access reviews are let through: a refusal would reveal whether a namespace exists to users who may not read it. */
function isAccessReview({ group, plural }: { readonly group: string; readonly plural: string }): boolean {
  return group === "authorization.k8s.io" && plural === "localsubjectaccessreviews";
}

function terminating(kind: { readonly group: string; readonly plural: string }, name: string, namespace: string): Error {
  const { status } = forbidden(kind, name, `unable to create new content in namespace ${namespace} because it is being terminated`);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  } as const;
  return refusal("Forbidden", status.message ?? "", { ...status.details, causes: [cause] });
}
