import type { DraftMeta, KubeObject, OwnerReference } from "./kube-object.ts";

/** Whatever has metadata: an object, or the draft of one. */
export interface WithMetadata {
  readonly metadata: DraftMeta;
}

/** An object has a controller, and can have no second one. */
export class AlreadyControlledError extends Error {
  override readonly name = "AlreadyControlledError";
  /** The controller it has. */
  readonly controller: OwnerReference;

  constructor(object: WithMetadata, controller: OwnerReference) {
    super(`${describe(object)} is already controlled by ${controller.kind} "${controller.name}"`);
    this.controller = controller;
  }
}

/**
 * The object with the owner as its controller: it is deleted with the owner, and its changes are the owner's concern.
 * Throws an `AlreadyControlledError` if another object controls it.
 */
export function setControllerReference<T extends WithMetadata>(owner: KubeObject, object: T): T {
  const reference = { ...referenceTo(owner, object), controller: true, blockOwnerDeletion: true };
  const controller = controllerOf(object);
  if (controller !== undefined && !isSameOwner(controller, reference)) throw new AlreadyControlledError(object, controller);
  return withReference(object, reference);
}

/** The object with the owner as one of its owners: it is deleted when the last of them is. */
export function setOwnerReference<T extends WithMetadata>(owner: KubeObject, object: T): T {
  return withReference(object, referenceTo(owner, object));
}

/** The reference to the owner that controls the object. */
export function controllerOf({ metadata }: WithMetadata): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Refuses an owner that the garbage collector would not find, and with which it would delete the object. */
function referenceTo(owner: KubeObject, object: WithMetadata): OwnerReference {
  const { name, namespace, uid } = owner.metadata;
  if (uid === undefined || uid === "") {
    throw new TypeError(`${owner.kind} ${describe(owner)} cannot be an owner: it has no uid, so no server has stored it`);
  }
  if (namespace !== undefined && namespace !== "" && namespace !== object.metadata.namespace) {
    const place = object.metadata.namespace ? `in namespace "${object.metadata.namespace}"` : "not in a namespace";
    throw new TypeError(`${owner.kind} ${describe(owner)} cannot own ${describe(object)}, which is ${place}`);
  }
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid };
}

/** Replaces the reference to the same owner, if there is one. */
function withReference<T extends WithMetadata>(object: T, reference: OwnerReference): T {
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((other) => isSameOwner(other, reference));
  const ownerReferences = index < 0 ? [...references, reference] : references.with(index, reference);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** By group, kind and name: the version may change, and so may the uid when an owner is created anew. */
function isSameOwner(left: OwnerReference, right: OwnerReference): boolean {
  return left.kind === right.kind && left.name === right.name && groupOf(left) === groupOf(right);
}

function groupOf({ apiVersion }: OwnerReference): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf("/")));
}

function describe({ metadata }: WithMetadata): string {
  const name = metadata.name ?? `${metadata.generateName}*`;
  return metadata.namespace === undefined ? name : `${metadata.namespace}/${name}`;
}
