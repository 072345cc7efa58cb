import { formatApiVersion } from "./group-version.ts";
import type { GroupVersionKind } from "./group-version.ts";
import type { KubeObject } from "./kube-object.ts";

declare const objectType: unique symbol;

/** Whether objects of a kind live in a namespace or belong to the whole cluster. */
export type Scope = "Namespaced" | "Cluster";

/**
 * A kind that a server serves, as a value: enough to build its paths, and the static type of its objects.
 * Built-in kinds come from `@kaji/types`, custom ones from `defineResource`.
 */
export interface Resource<T extends KubeObject = KubeObject> extends GroupVersionKind {
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly scope: Scope;
  /** Carries the type only; no value has it. */
  readonly [objectType]?: T | undefined;
}

/** The type of a resource's objects. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;

/** A kind's names, where they do not follow from the kind itself. */
export interface ResourceNames extends GroupVersionKind {
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default: the kind followed by `List`. */
  readonly listKind?: string;
  readonly scope: Scope;
}

/** A resource from its names. Whoever calls it states the type of its objects. */
export function resource<T extends KubeObject>(names: ResourceNames): Resource<T> {
  const { group, version, kind, plural, scope } = names;
  const { singular = kind.toLowerCase(), listKind = `${kind}List` } = names;
  return Object.freeze({ group, version, kind, plural, singular, listKind, scope });
}

/**
 * The path of a kind's objects, and of one object or its subresource when a name is given.
 * Without a namespace, the path of a namespaced kind spans all namespaces.
 */
export function resourcePath(
  resource: Resource,
  { namespace, name, subresource }: { readonly namespace?: string | undefined; readonly name?: string; readonly subresource?: string } = {},
): string {
  const root = resource.group === "" ? "/api" : "/apis";
  let path = `${root}/${formatApiVersion(resource)}`;
  if (resource.scope === "Namespaced" && namespace !== undefined) path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${resource.plural}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path;
}
