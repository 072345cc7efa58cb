import { unlessGone } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { ControllerEnvironment } from "../controller/controller-environment.ts";
import type { Controller } from "../declare/define-controller.ts";
import { declaredOnly } from "../declare/undeclared-error.ts";
import type { LiveReads } from "./reconcile-context.ts";

/** What the reconciles of a controller read from the server, each for as long as it lasts: only what is declared. */
export function liveReads(controller: Controller, { client }: ControllerEnvironment): (signal: AbortSignal) => LiveReads<KubeObject> {
  const requireDeclared = declaredOnly(controller);
  return (signal) => ({
    get: async (resource, address) => {
      requireDeclared("get", resource);
      return unlessGone(client.get(resource, address, { signal }));
    },
    list: async (resource, options = {}) => {
      requireDeclared("list", resource);
      return client.list(resource, { ...options, signal });
    },
  });
}
