import { formatKind, parseObjectKey, pathSegmentErrors, resourcePath } from "@kaji/core";
import type { NamespacedName, Resource } from "@kaji/core";
import { quote } from "@kaji/core/go";

/** One object of a kind: `namespace/name`, `name` at cluster scope, the object itself, or whatever has the two, such as its metadata. */
export type ObjectAddress = string | NamespacedName | { readonly metadata: NamespacedName };

/** The path of one object or of a subresource of it. Refuses an address that could mean anything but one object. */
export function objectPath(resource: Resource, address: ObjectAddress, subresource?: string): string {
  const { namespace, name } = parseAddress(address);
  if (typeof name !== "string" || name === "") throw new TypeError(`${formatKind(resource)}: an address needs a name`);
  requireSegment(resource, "name", name);
  if (resource.scope === "Namespaced" && !namespace) {
    throw new TypeError(`${formatKind(resource)}: ${quote(name)} needs a namespace, as in "NAMESPACE/${name}"`);
  }
  if (subresource !== undefined) for (const part of subresource.split("/")) requireSegment(resource, "subresource", part);
  return resourcePath(resource, {
    namespace: knownNamespace(resource, namespace),
    name,
    ...(subresource === undefined ? {} : { subresource }),
  });
}

/** Namespace and name of an address. */
export function parseAddress(address: ObjectAddress): NamespacedName {
  if (typeof address === "string") return parseObjectKey(address);
  const named = typeof address === "object" && address !== null && "metadata" in address ? address.metadata : address;
  if (typeof named === "object" && named !== null) return named;
  throw new TypeError(`an object's address is "NAMESPACE/NAME" or has a namespace and a name; ${String(named)} is neither`);
}

/** The path of all objects of a kind, in one namespace or, if none is given, everywhere. */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  return resourcePath(resource, { namespace: knownNamespace(resource, namespace) });
}

/** An empty namespace is none. */
function knownNamespace(resource: Resource, namespace: string | undefined): string | undefined {
  if (!namespace) return undefined;
  if (resource.scope === "Cluster") {
    throw new TypeError(`${formatKind(resource)} is not in namespaces, so that none can be given (${quote(namespace)})`);
  }
  requireSegment(resource, "namespace", namespace);
  return namespace;
}

/** What a server or proxy would read as another path must never be sent: deleting `..` would delete its neighbours. */
function requireSegment(resource: Resource, part: string, value: string): void {
  const [problem] = pathSegmentErrors(value);
  if (problem !== undefined || value === "") {
    throw new TypeError(`${formatKind(resource)}: ${part} ${quote(value)} ${problem ?? "may not be empty"}`);
  }
}
