import { pathSegmentErrors, resourcePath } from "@kaji/core";
import type { Resource } from "@kaji/core";

/** The path of an object by its key as an address has it, or of a subresource; undefined where that names no object, or could be read as something else. */
export function keyPath(resource: Resource, key: string, subresource?: string): string | undefined {
  const parts = key.split("/");
  const [name = "", namespace] = parts.toReversed();
  if (parts.length !== (resource.scope === "Namespaced" ? 2 : 1)) return undefined;
  if (parts.some((part) => part === "" || pathSegmentErrors(part).length > 0)) return undefined;
  return resourcePath(resource, { namespace, name, ...(subresource === undefined ? {} : { subresource }) });
}
