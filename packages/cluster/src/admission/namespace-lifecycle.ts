import type { AdmissionPlugin, Entry, Storage } from "@kaji/apiserver";
import { forbidden, notFound, parseJson, refusal } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";

const namespaces = { group: "", plural: "namespaces" };

/** Namespaces a cluster cannot be without. */
const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Keeps objects out of namespaces that do not exist or are ending, and namespaces in place that must not end. */
export function namespaceLifecycle(storage: Storage): AdmissionPlugin {
  const isEnding = endingNamespaces();
  return {
    name: "NamespaceLifecycle",
    // It changes nothing, but decides before anybody looks at whether the object is valid.
    mutate: ({ operation, target: { kind, namespace }, object }) => {
      if (operation !== "CREATE" || namespace === undefined) return object;
      const entry = storage.get(`/registry/namespaces/${namespace}`);
      if (entry === undefined) throw notFound(namespaces, namespace);
      if (isEnding(entry)) throw terminating(kind, object.metadata.name ?? "", namespace);
      return object;
    },
    validate: ({ operation, target: { kind, name = "" } }) => {
      const isImmortal = kind.group === "" && kind.plural === "namespaces" && immortal.has(name);
      if (operation === "DELETE" && isImmortal) throw forbidden(namespaces, name, "this namespace may not be deleted");
    },
  };
}

/** Every creation asks, and namespaces hardly ever change: each state of one is read once. */
function endingNamespaces(): (entry: Entry) => boolean {
  const known = new WeakMap<Entry, boolean>();
  return (entry) => {
    let isEnding = known.get(entry);
    if (isEnding === undefined) {
      const { metadata } = parseJson(Buffer.from(entry.bytes).toString("utf8")) as unknown as DynamicObject;
      isEnding = metadata.deletionTimestamp !== undefined;
      known.set(entry, isEnding);
    }
    return isEnding;
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
