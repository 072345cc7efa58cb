import { formatKind, objectKey, structuralEqual } from "@kaji/core";
import type { Draft, DraftMeta, KubeObject, NamespacedName, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { addressOf, writtenKey } from "./write-address.ts";

/** What `createOrUpdate` reads and writes with: a reconcile's context has both. */
export interface CreateOrUpdateContext<C extends KubeObject> {
  readonly cache: { get(resource: Resource<C>, address: NamespacedName): DeepReadonly<C> | undefined };
  readonly client: {
    create(resource: Resource<C>, object: Draft<C>): Promise<C>;
    update(resource: Resource<C>, object: C | Draft<C>): Promise<C>;
  };
}

/**
 * Makes an object be what a function makes of it: creates it if there is none, updates it if the function changed something, and otherwise sends nothing.
 * The function gets the object as it is, or undefined, and must keep what it does not care for. `apply` needs none of that.
 */
export async function createOrUpdate<C extends KubeObject>(
  { cache, client }: CreateOrUpdateContext<NoInfer<C>>,
  resource: Resource<C>,
  address: NamespacedName,
  change: (current: DeepReadonly<C> | undefined) => Draft<C>,
): Promise<DeepReadonly<C>> {
  const current = cache.get(resource, address);
  const wanted = change(current);
  requireSameName(resource, address, wanted);
  if (current === undefined) return (await client.create(resource, wanted)) as DeepReadonly<C>;
  if (structuralEqual(current, wanted)) return current;
  return (await client.update(resource, withVersion(wanted, current.metadata.resourceVersion))) as DeepReadonly<C>;
}

/** What is looked for under one name and made under another would never be found, and made again each time. */
function requireSameName(resource: Resource, address: NamespacedName, wanted: { readonly metadata: DraftMeta }): void {
  const [sought, made] = [objectKey(address), writtenKey(addressOf(wanted))];
  if (made !== sought)
    throw new TypeError(`${formatKind(resource)}: createOrUpdate of ${sought} has made ${made}: the function must keep name and namespace`);
}

/** A change made without the version it is based on would overwrite what it has not seen. */
function withVersion<O extends { readonly metadata: DraftMeta }>(wanted: O, resourceVersion: string | undefined): O {
  return resourceVersion === undefined ? wanted : { ...wanted, metadata: { ...wanted.metadata, resourceVersion } };
}
