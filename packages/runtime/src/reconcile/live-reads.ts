import type { KubeClient } from "@kaji/client";
import { formatApiVersion, unlessGone } from "@kaji/core";
import type { KubeList, KubeObject, Resource } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Controller } from "../declare/define-controller.ts";
import { declaredOnly } from "../declare/undeclared-error.ts";
import type { DeclaredAccess } from "../declare/access.ts";
import type { ReconcileContext } from "../declare/reconcile-context.ts";
import { whileBoth } from "./while-both.ts";

/** All that a reconcile can read from the server. */
export type AllLiveReads = ReconcileContext<KubeObject, DeclaredAccess>["live"];

/** What the reconciles of a controller read from the server, each for as long as it lasts: only what is declared. */
export function liveReads(controller: Controller, { client, namespaces }: ControllerEnvironment): (signal: AbortSignal) => AllLiveReads {
  const requireDeclared = declaredOnly(controller);
  return (signal) => ({
    get: async (resource, address) => {
      requireDeclared("get", resource);
      return unlessGone(client.get(resource, address, { signal }));
    },
    list: async (resource, options = {}) => {
      requireDeclared("list", resource);
      return listWhereLooked(client, namespaces, resource, { ...options, signal });
    },
    getScale: async (resource, address) => {
      requireDeclared("get/scale", resource);
      return unlessGone(client.getScale(resource, address, { signal }));
    },
    logs: (pod, options = {}) => {
      requireDeclared("get/log", Pod);
      return client.logs(pod, { ...options, signal: whileBoth(signal, options.signal) });
    },
    resourceOf: (object) => unlessGone(client.discovery.resourceOf(object, signal)),
  });
}

/** The objects of a kind in one namespace, or in all that an operator looks after: its role does not let it ask for those of others. */
export async function listWhereLooked<T extends KubeObject>(
  client: Pick<KubeClient, "list">,
  namespaces: readonly string[] | undefined,
  resource: Resource<T>,
  options: Parameters<KubeClient["list"]>[1] & object,
): Promise<KubeList<T>> {
  if (namespaces === undefined || resource.scope === "Cluster" || options.namespace !== undefined) return client.list(resource, options);
  const lists = await Promise.all(namespaces.map((namespace) => client.list(resource, { ...options, namespace })));
  return {
    apiVersion: formatApiVersion(resource),
    kind: `${resource.kind}List`,
    metadata: {},
    items: lists.flatMap(({ items }) => items),
  };
}
