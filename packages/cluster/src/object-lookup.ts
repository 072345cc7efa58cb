import type { ApiServer, ObjectLookup } from "@kaji/apiserver";

const plurals = { Node: "nodes", Pod: "pods", Secret: "secrets", ServiceAccount: "serviceaccounts" } as const;

/** Finds the objects that tokens depend on, as the server has them now. */
export function objectLookup(server: () => ApiServer): ObjectLookup {
  return (kind, namespace, name) => {
    const { kinds, registry } = server();
    const served = kinds.find("", "v1", plurals[kind]);
    return served === undefined ? undefined : registry.store(served.kind, served.version).get(namespace, name)?.object.metadata;
  };
}
