import { compileSelector, parseSelector, structuralEqual } from "@kaji/core";
import type { KubeObject, LabelSelector } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";

/** A change as predicates see it: `previous` is absent when the object is new, `object` when it is gone. */
export interface ObjectChange<T extends KubeObject> {
  readonly object: DeepReadonly<T> | undefined;
  readonly previous: DeepReadonly<T> | undefined;
}

/** Whether a change is worth a reconcile. */
export type Predicate<T extends KubeObject = KubeObject> = (change: ObjectChange<T>) => boolean;

/**
 * The spec has changed, or the object is new, gone or being deleted. A change of the status alone does not count; in kinds that have no generation every
 * change counts.
 */
export function generationChanged({ object, previous }: ObjectChange<KubeObject>): boolean {
  if (object === undefined || previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  if (now.generation === undefined) return resourceVersionChanged({ object, previous });
  return now.generation !== before.generation || now.deletionTimestamp !== before.deletionTimestamp || now.uid !== before.uid;
}

/** Anything has changed: a resync, which changes nothing, does not count. */
export function resourceVersionChanged({ object, previous }: ObjectChange<KubeObject>): boolean {
  return object?.metadata.resourceVersion !== previous?.metadata.resourceVersion;
}

/** The labels have changed, or the object is new or gone. */
export function labelsChanged({ object, previous }: ObjectChange<KubeObject>): boolean {
  if (object === undefined || previous === undefined) return true;
  return !structuralEqual(object.metadata.labels ?? {}, previous.metadata.labels ?? {});
}

/** The annotations have changed, or the object is new or gone. */
export function annotationsChanged({ object, previous }: ObjectChange<KubeObject>): boolean {
  if (object === undefined || previous === undefined) return true;
  return !structuralEqual(object.metadata.annotations ?? {}, previous.metadata.annotations ?? {});
}

/** The labels match now, or did before: a controller must also learn that an object has stopped matching. */
export function matching(selector: string | LabelSelector): Predicate {
  const compiled = typeof selector === "string" ? parseSelector(selector) : compileSelector(selector);
  return ({ object, previous }) =>
    (object !== undefined && compiled.matches(object.metadata.labels)) ||
    (previous !== undefined && compiled.matches(previous.metadata.labels));
}

/** All of them hold. */
export function and<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** At least one of them holds. */
export function or<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** It does not hold. */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}
