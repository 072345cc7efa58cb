import { notFound } from "@kaji/core";
import type { DynamicObject, ResourceName } from "@kaji/core";
import type { StoredObjects, StrategyContext } from "../strategy.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { Registry } from "./registry.ts";
import { ServedObject } from "./served-object.ts";
import type { Target } from "./target.ts";

/** What a strategy may know beyond the object, in one request. */
export function strategyContext(registry: Registry, request: RequestContext): StrategyContext {
  return { nowMs: request.clock.now(), random: request.random, request, objects: storedObjects(registry) };
}

/** An object of a kind, in the version that the kind prefers; 404 when the kind is not served. */
export function targetOf({ kinds }: Registry, resource: ResourceName, namespace: string | undefined, name: string): Target {
  const kind = kinds.get(resource.group, resource.plural);
  const [version] = kind?.versions ?? [];
  if (kind === undefined || version === undefined) throw notFound(resource, name);
  return { kind, version, namespace, name, subresource: undefined };
}

function storedObjects(registry: Registry): StoredObjects {
  return {
    get(resource, namespace, name) {
      const { kind, version } = targetOf(registry, resource, namespace, name);
      return registry.store(kind, version).get(namespace, name)?.object;
    },
    list(resource, namespace) {
      const { kind, version } = targetOf(registry, resource, namespace, "");
      const store = registry.store(kind, version);
      return registry.storage.list(store.path(namespace)).entries.map((entry) => ServedObject.fromStorage(entry, store.codec).object);
    },
    revise: (resource, namespace, name, change) => revise(registry, targetOf(registry, resource, namespace, name), name, change),
  };
}

async function revise(
  registry: Registry,
  { kind, version, namespace }: Target,
  name: string,
  change: (live: DynamicObject) => DynamicObject,
): Promise<DynamicObject> {
  const store = registry.store(kind, version);
  for (;;) {
    const live = store.get(namespace, name);
    if (live === undefined) throw notFound(kind, name);
    const written = await store.replace(namespace, live, change(live.object));
    if (written.type === "Stored") return written.served.object;
  }
}
