import { controllerOf, formatKind, objectKey, parseApiVersion } from "@kaji/core";
import type { KubeObject, OwnerReference, Resource } from "@kaji/core";

/** The name of a child is taken by an object that its owner does not control. That object is not changed. */
export class ChildConflictError extends Error {
  override readonly name = "ChildConflictError";
  readonly child: KubeObject;
  /** The owner that controls it, if it has one. */
  readonly controller: OwnerReference | undefined;

  /** `mark`: by which it belongs to another object of the same controller, if it does. */
  constructor(resource: Resource, child: KubeObject, owner: KubeObject, mark?: string) {
    const controller = controllerOf(child);
    const other = controller === undefined ? mark : `${controller.kind} ${controller.name}`;
    const isEarlier = controller !== undefined && isEarlierOf(controller, owner);
    const whose = other === undefined ? "and has no controller" : `but by ${isEarlier ? "an earlier " : ""}${other}`;
    const stays = isEarlier ? "it is left alone until the garbage collector has deleted it" : "it is left alone";
    const remedy = other === undefined ? adoption(child) : "";
    super(
      `${formatKind(resource)} ${objectKey(child.metadata)} is not controlled by ${owner.kind} ${owner.metadata.name} ${whose}: ${stays}${remedy}`,
    );
    this.child = child;
    this.controller = controller;
  }
}

/** Whether it was the owner under the name that another object has now: it is gone, and its children are about to go. */
function isEarlierOf({ apiVersion, kind, name, uid }: OwnerReference, owner: KubeObject): boolean {
  const isSameKind = kind === owner.kind && parseApiVersion(apiVersion).group === parseApiVersion(owner.apiVersion).group;
  return isSameKind && name === owner.metadata.name && uid !== owner.metadata.uid;
}

/** How a child that nobody controls could be adopted. */
function adoption({ metadata }: KubeObject): string {
  const makers = (metadata.managedFields ?? []).filter(({ subresource = "" }) => subresource === "").map(({ manager }) => `"${manager}"`);
  return makers.length === 0
    ? ""
    : `; if this controller takes the place of the program that made it, say takesOver: [${makers.join(", ")}]`;
}
