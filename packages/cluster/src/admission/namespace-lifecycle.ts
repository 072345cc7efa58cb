import type { AdmissionPlugin, Storage } from "@kaji/apiserver";
import { forbidden, notFound, parseJson, refusal } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";

const namespaces = { group: "", plural: "namespaces" };

/** Namespaces a cluster cannot be without. */
const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Keeps objects out of namespaces that do not exist or are ending, and namespaces in place that must not end. */
export function namespaceLifecycle(storage: Storage): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    validate: ({ operation, target, object }) => {
      const { kind, namespace, name } = target;
      if (operation === "DELETE" && kind.group === "" && kind.plural === "namespaces" && immortal.has(name ?? "")) {
        throw forbidden(namespaces, name ?? "", "this namespace may not be deleted");
      }
      if (operation !== "CREATE" || namespace === undefined) return;
      const entry = storage.get(`/registry/namespaces/${namespace}`);
      if (entry === undefined) throw notFound(namespaces, namespace);
      const { metadata } = parseJson(Buffer.from(entry.bytes).toString("utf8")) as unknown as DynamicObject;
      if (metadata.deletionTimestamp !== undefined) throw terminating(kind, object?.metadata.name ?? "", namespace);
    },
  };
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
