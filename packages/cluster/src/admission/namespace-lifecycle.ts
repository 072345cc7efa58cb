import type { AdmissionPlugin } from "@kaji/apiserver";
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
    mutate: ({ operation, target: { kind, namespace }, object }) => {
      if (operation !== "CREATE" || namespace === undefined || isAccessReview(kind)) return object;
      const found = objects.get(`/registry/namespaces/${namespace}`);
      if (found === undefined) throw notFound(namespaces, namespace);
      if (found.metadata.deletionTimestamp !== undefined) throw terminating(kind, object.metadata.name ?? "", namespace);
      return object;
    },
    validate: ({ operation, target: { kind, name = "" } }) => {
      const isImmortal = kind.group === "" && kind.plural === "namespaces" && immortal.has(name);
      if (operation === "DELETE" && isImmortal) throw forbidden(namespaces, name, "this namespace may not be deleted");
    },
  };
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
