import type { ConfigMap, Secret, Service } from "@kaji/types/core/v1";
import type { PodObjects } from "../pod-objects.ts";

/** What there is, whatever the namespace. */
export interface GivenObjects {
  readonly configMaps?: Readonly<Record<string, Pick<ConfigMap, "data" | "binaryData">>>;
  readonly secrets?: Readonly<Record<string, Pick<Secret, "data">>>;
  readonly services?: readonly Service[];
  /** Of all nodes. */
  readonly allocatable?: Readonly<Record<string, string>>;
}

/** Objects that never change. */
export function objectsOf({ configMaps = {}, secrets = {}, services = [], allocatable = {} }: GivenObjects = {}): PodObjects {
  const [configs, keys] = [new Map(Object.entries(configMaps)), new Map(Object.entries(secrets))];
  return {
    configMap: (namespace, name) => {
      const found = configs.get(name);
      return found === undefined ? undefined : { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, ...found };
    },
    secret: (namespace, name) => {
      const found = keys.get(name);
      return found === undefined ? undefined : { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, ...found };
    },
    serviceAccount: (namespace, name) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace, uid: name } }),
    node: (name) => ({ apiVersion: "v1", kind: "Node", metadata: { name }, status: { allocatable } }),
    services: () => services,
    onChange: () => ({ [Symbol.dispose]: () => {} }),
  };
}
