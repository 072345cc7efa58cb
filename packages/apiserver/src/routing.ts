import { refusal } from "@kaji/core";
import type { ApiError } from "@kaji/core";
import { withoutOuterSlashes } from "@kaji/core/serving";
import type { ResourceRequest } from "@kaji/core/serving";
import type { Kind } from "./kind.ts";
import type { KindRegistry } from "./kind-registry.ts";
import type { Target } from "./registry/target.ts";
import { plainTextResponse } from "./response/api-response.ts";
import type { ApiResponse } from "./response/api-response.ts";

/** What a path names: a target, something below an object that its custom kind does not have, or nothing, and then whether at least its group is, as one of the server's own. */
export type Route =
  | { readonly type: "Target"; readonly target: Target }
  | { readonly type: "NoSuchPart"; readonly target: Target; readonly name: string }
  | { readonly type: "Unknown"; readonly groupIsKnown: boolean };

/**
 * Finds what a request is about. Outside of namespaces, a custom kind that is in them can be read only, and all of it.
 */
export function route(kinds: KindRegistry, request: ResourceRequest): Route {
  const { group, version, resource, namespace, name, subresource, subpath, verb } = request;
  const found = kinds.find(group, version, resource);
  if (found === undefined) return { type: "Unknown", groupIsKnown: isBuiltIn(kinds, group) };
  const { scope, isCustom } = found.kind;
  const isNamespaceItself = group === "" && resource === "namespaces";
  const inNamespace = isNamespaceItself ? undefined : namespace;
  const needsNamespace = name !== undefined || (isCustom && verb !== "list" && verb !== "watch");
  const isMisplaced = scope === "Cluster" ? inNamespace !== undefined : inNamespace === undefined && needsNamespace;
  if (isMisplaced) return { type: "Unknown", groupIsKnown: !isCustom };
  const below =
    subresource !== undefined && Object.hasOwn(found.version.subresources, subresource)
      ? found.version.subresources[subresource]
      : undefined;
  const isUnknown = (subresource !== undefined && below === undefined) || (subpath !== undefined && below?.type !== "Proxy");
  const target = { ...found, namespace: inNamespace, name, subresource };
  if (!isUnknown) return { type: "Target", target };
  return isCustom && name !== undefined ? { type: "NoSuchPart", target, name } : { type: "Unknown", groupIsKnown: true };
}

/** 404 for two slashes in a row within a path: who authorizes reads it, but nothing is ever there. */
export function requireCleanPath({ path }: ResourceRequest): void {
  if (withoutOuterSlashes(path).includes("//")) throw unknownPath();
}

/** Whether a group has kinds of the server's own, not custom ones alone. */
export function isBuiltIn({ kinds }: KindRegistry, group: string): boolean {
  return kinds.some((kind) => kind.group === group && !kind.isCustom);
}

/** 404 where nothing at all is known. */
export function pageNotFound(): ApiResponse {
  return plainTextResponse(404, "404 page not found\n");
}

/** 404 below a known group. */
export function unknownPath(): ApiError {
  return refusal("NotFound", "the server could not find the requested resource", {});
}

/** 405, as custom kinds say it. */
export function verbNotSupported(verb: string, { group, plural }: Pick<Kind, "group" | "plural">): ApiError {
  return refusal("MethodNotAllowed", `${verb} is not supported on resources of kind "${plural}.${group}"`, { group, kind: plural });
}

/** 405. */
export function methodNotAllowed(): ApiError {
  return refusal("MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
