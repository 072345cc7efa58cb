import type { PropagationPolicy } from "@kaji/client";
import { hasFinalizer } from "@kaji/core";
import type { KubeObject, OwnerReference } from "@kaji/core";

/** The finalizer of an owner that is removed after its dependents. */
export const foregroundFinalizer = "foregroundDeletion";
/** The finalizer of an owner that is removed when its dependents no longer refer to it. */
export const orphanFinalizer = "orphan";

/** What there is to know about an owner that an object refers to: it is there, it is not, or it waits for its dependents to go. */
export type OwnerState = "Present" | "Absent" | "Waiting";

/** What becomes of an object, by the state of its owners. */
export type Verdict =
  | { readonly type: "Keep" }
  /** Some owners are left: the others are struck off. */
  | { readonly type: "Disown"; readonly owners: readonly OwnerReference[] }
  /** No owner is left. An object that is in a circle of waiting owners must no longer block its own, or none of them would ever go. */
  | { readonly type: "Delete"; readonly policy: PropagationPolicy; readonly breaksCircle: boolean };

/** Judges an object by the states of its owners, which are in the order of its references. */
export function verdictOn(object: KubeObject, states: readonly OwnerState[], dependents: readonly KubeObject[]): Verdict {
  const { ownerReferences = [] } = object.metadata;
  if (ownerReferences.length === 0) return { type: "Keep" };
  const present = ownerReferences.filter((_owner, index) => states[index] === "Present");
  if (present.length === ownerReferences.length) return { type: "Keep" };
  if (present.length > 0) return { type: "Disown", owners: present };
  if (states.includes("Waiting") && dependents.length > 0) {
    return { type: "Delete", policy: "Foreground", breaksCircle: dependents.some(isWaitingForDependents) };
  }
  return { type: "Delete", policy: policyOf(object), breaksCircle: false };
}

/** Whether an object is being deleted, and is removed after its dependents. */
export function isWaitingForDependents(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && hasFinalizer(object, foregroundFinalizer);
}

/** Whether an object keeps its owner from being removed before it. */
export function blocks({ metadata }: KubeObject, ownerUid: string | undefined): boolean {
  return (metadata.ownerReferences ?? []).some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}

/** An object with one of the finalizers keeps the policy that its finalizer stands for; any other is deleted in the background. */
function policyOf(object: KubeObject): PropagationPolicy {
  if (hasFinalizer(object, orphanFinalizer)) return "Orphan";
  return hasFinalizer(object, foregroundFinalizer) ? "Foreground" : "Background";
}
