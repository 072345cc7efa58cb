import { formatKind, formatResource, parseApiVersion } from "./group-version.ts";
import type { GroupVersionKind, GroupVersionResource } from "./group-version.ts";
import type { KubeObject } from "./kube-object.ts";
import type { Resource } from "./resource.ts";

/** The resources a program knows, found by their kind or by their path. Immutable. */
export class Scheme implements Iterable<Resource> {
  /** By `apps/v1, Kind=Deployment`. Has the same resources as `#byPath`. */
  readonly #byKind: ReadonlyMap<string, Resource>;
  /** By `apps/v1, Resource=deployments`. */
  readonly #byPath: ReadonlyMap<string, Resource>;

  /** Refuses two resources of one kind or of one path, unless they are the same value. */
  constructor(resources: Iterable<Resource>) {
    const known = new Set(resources);
    this.#byKind = indexed(known, formatKind);
    this.#byPath = indexed(known, (resource) => formatResource(pathOf(resource)));
  }

  /** A scheme that knows these too. */
  with(...resources: readonly Resource[]): Scheme {
    return new Scheme([...this, ...resources]);
  }

  /** The resource of a kind. */
  byKind(kind: GroupVersionKind): Resource | undefined {
    return this.#byKind.get(formatKind(kind));
  }

  /** The resource that is served under a group, version and plural. */
  byPath(path: GroupVersionResource): Resource | undefined {
    return this.#byPath.get(formatResource(path));
  }

  /** The resource of an object; undefined if its kind is unknown here, and it can only be handled as a `DynamicObject`. */
  resourceOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): Resource | undefined {
    return this.byKind({ ...parseApiVersion(apiVersion), kind });
  }

  [Symbol.iterator](): Iterator<Resource> {
    return this.#byKind.values();
  }
}

function pathOf({ group, version, plural }: Resource): GroupVersionResource {
  return { group, version, resource: plural };
}

function indexed(resources: Iterable<Resource>, keyOf: (resource: Resource) => string): ReadonlyMap<string, Resource> {
  const index = new Map<string, Resource>();
  for (const resource of resources) {
    const key = keyOf(resource);
    if (index.has(key)) throw new TypeError(`scheme has two resources for ${key}`);
    index.set(key, resource);
  }
  return index;
}
