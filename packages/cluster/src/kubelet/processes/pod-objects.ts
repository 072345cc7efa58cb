import type { Storage } from "@kaji/apiserver";
import { parseJsonBytes } from "@kaji/core";
import type { JsonValue, KubeObject, Resource } from "@kaji/core";
import { ConfigMap, Node, Secret, Service, ServiceAccount } from "@kaji/types/core/v1";

/** The objects that processes find in their environment and their volumes. */
export interface PodObjects {
  configMap(namespace: string, name: string): ConfigMap | undefined;
  secret(namespace: string, name: string): Secret | undefined;
  serviceAccount(namespace: string, name: string): ServiceAccount | undefined;
  node(name: string): Node | undefined;
  /** The services of a namespace. */
  services(namespace: string): readonly Service[];
  /** Calls back when a ConfigMap or a Secret has changed. */
  onChange(listener: () => void): Disposable;
}

/** The objects of a server, as they are stored. */
export function storedObjects(storage: Storage): PodObjects {
  const read = <T extends KubeObject>(kind: Resource<T>, ...names: readonly string[]): T | undefined => {
    const entry = storage.get(`${folderOf(kind)}${names.join("/")}`);
    return entry === undefined ? undefined : storedAs(kind, parseJsonBytes(entry.bytes));
  };
  return {
    configMap: (namespace, name) => read(ConfigMap, namespace, name),
    secret: (namespace, name) => read(Secret, namespace, name),
    serviceAccount: (namespace, name) => read(ServiceAccount, namespace, name),
    node: (name) => read(Node, name),
    services: (namespace) =>
      storage.list(`${folderOf(Service)}${namespace}/`).entries.map(({ bytes }) => storedAs(Service, parseJsonBytes(bytes))),
    onChange(listener) {
      const both = new DisposableStack();
      for (const kind of [ConfigMap, Secret]) both.use(storage.subscribe(folderOf(kind), storage.currentRevision, listener));
      return both;
    },
  };
}

/** Where the objects of a kind are stored; nodes under the name that they once had. */
function folderOf({ plural }: Pick<Resource, "plural">): string {
  return `/registry/${storedNames.get(plural) ?? plural}/`;
}

const storedNames = new Map([
  ["nodes", "minions"],
  ["services", "services/specs"],
]);

/** What is stored where the objects of a kind are is of that kind. */
function storedAs<T extends KubeObject>(_kind: Resource<T>, stored: JsonValue): T {
  return stored as T & JsonValue;
}
