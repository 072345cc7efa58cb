import { formatKind, hasFinalizer, isReason, objectKey, parseApiVersion } from "@kaji/core";
import type { KubeObject, ObjectKey, Resource } from "@kaji/core";
import type { Lister } from "@kaji/informer";
import type { MirrorReads } from "../controller/joined-reads.ts";
import { isOfAnyKind } from "../declare/any-kind.ts";
import type { Owned } from "../declare/declarations.ts";
import type { Controller } from "../declare/define-controller.ts";
import { storedId } from "../declare/kind-id.ts";
import { appliedFields } from "./applied-record.ts";
import type { KindName } from "./child-kinds.ts";
import type { ChildScope } from "./child-scope.ts";
import { OwnerMark, markOf } from "./owner-mark.ts";

/**
 * What the objects of a controller have where the server allows no owner reference: known by a mark, and deleted by nobody but the controller, which therefore needs a finalizer. The kinds of it are
 * recorded in the owner before the first object is made, so that whoever goes on after a crash knows where to look.
 */
export class ObjectsElsewhere {
  readonly mark: OwnerMark;
  readonly #controller: Controller;

  constructor(controller: Controller) {
    this.#controller = controller;
    this.mark = new OwnerMark(controller);
  }

  /** Undefined where there is no such place, or nobody to delete what is there. */
  static of(controller: Controller): ObjectsElsewhere | undefined {
    const isPossible = controller.finalizer !== undefined && controller.owns.length > 0 && controller.resource.scope === "Namespaced";
    return isPossible ? new ObjectsElsewhere(controller) : undefined;
  }

  /** Whether the controller will delete what it makes for an owner: one that it finalizes has the finalizer before anything is made for it. */
  deletesThoseOf(owner: KubeObject): boolean {
    const { finalizer } = this.#controller;
    return finalizer !== undefined && hasFinalizer(owner, finalizer);
  }

  /** The keys of those of a kind that are mirrored. */
  keysOf<T extends KubeObject>(owner: KubeObject, lister: MirrorReads<T>): readonly ObjectKey[] {
    return lister.keysBy(this.mark.index, markOf(owner.metadata));
  }

  /** Whether there is the owner that the mark of an object names. One that is not mirrored may be looked after by another instance of the operator: the server is asked, and if it does not say, there is one. */
  async hasOwner({ live }: ChildScope, object: KubeObject, own: Lister<KubeObject>): Promise<boolean> {
    const { resource } = this.#controller;
    if (this.mark.isCut(object)) return true;
    for (const key of this.mark.ownersOf(object, () => own.keys())) {
      if (own.get(key) !== undefined) return true;
      try {
        if ((await live.get(resource, key)) !== undefined) return true;
      } catch (error) {
        if (!isReason(error, "Forbidden")) throw error;
        return true;
      }
    }
    return false;
  }

  /** Deletes all of them. */
  async removeAll(scope: ChildScope): Promise<void> {
    for (const name of scope.kinds?.recorded ?? []) {
      if (await this.clear(scope, name, new Set())) continue;
      const { kind, metadata } = scope.owner;
      throw new Error(
        `${kind} ${objectKey(metadata)} may have objects of ${name.apiVersion} ${name.kind} elsewhere, which controller ${this.#controller.name} owns no longer, so that it cannot delete them; own the kind until they are gone`,
      );
    }
  }

  /**
   * Deletes those of a kind that are not `kept`, by what the server has: a cache may not know yet what another program has made. False if the kind is owned no longer, so that nothing can be done.
   */
  async clear(scope: ChildScope, name: KindName, kept: ReadonlySet<string>): Promise<boolean> {
    const { live, client } = scope;
    const declared = this.#declared(name);
    if (declared === undefined) return false;
    const resource = isOfAnyKind(declared) ? await live.resourceOf(name) : declared.resource;
    // Of a kind that the server has no more, there are no objects either.
    if (resource === undefined) return true;
    for (const object of await this.#marked(scope, resource, declared.namespaces)) {
      const { metadata } = object;
      if (metadata.deletionTimestamp !== undefined || kept.has(storedId(resource, objectKey(metadata)))) continue;
      // A copy that somebody made of such an object has the mark, too.
      if (appliedFields(object, this.#controller.fieldManager) !== undefined)
        await client.delete(resource, object, { propagationPolicy: "Background" });
    }
    return true;
  }

  async #marked(
    { owner, live }: ChildScope,
    resource: Resource,
    namespaces: readonly string[] | undefined,
  ): Promise<readonly KubeObject[]> {
    const labelSelector = this.mark.selector(owner);
    try {
      if (namespaces === undefined || resource.scope === "Cluster") return (await live.list(resource, { labelSelector })).items;
      const lists = await Promise.all(namespaces.map((namespace) => live.list(resource, { namespace, labelSelector })));
      return lists.flatMap(({ items }) => items);
    } catch (error) {
      if (isReason(error, "NotFound")) return [];
      throw error;
    }
  }

  /** What is declared of a kind, by its name or of any. */
  #declared({ apiVersion, kind }: KindName): Owned | undefined {
    const { group } = parseApiVersion(apiVersion);
    const { owns } = this.#controller;
    return owns.find(({ resource }) => resource.group === group && resource.kind === kind) ?? owns.find(isOfAnyKind);
  }
}

/** What is to be said of an object that can have no owner reference, of a controller that would not delete it. */
export function needsFinalize(owner: KubeObject, resource: Resource, metadata: KubeObject["metadata"]): TypeError {
  const where = metadata.namespace === undefined ? "is not in a namespace" : `is in namespace "${metadata.namespace}"`;
  return new TypeError(
    `${owner.kind} ${objectKey(owner.metadata)} cannot own ${formatKind(resource)} ${objectKey(metadata)}, which ${where}: a controller that has a finalize, be it an empty one, deletes such objects itself, of those that it finalizes`,
  );
}
