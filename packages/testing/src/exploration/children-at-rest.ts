import { parseApiVersion } from "@kaji/core";
import type { DynamicObject, OwnerReference } from "@kaji/core";
import { kindName } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import { hasReadyPods } from "../simulation/pod-crash.ts";

/** A child that is there when all has come to rest after an operation. */
export interface ChildAtRest {
  readonly op: number;
  readonly object: ObjectId;
  /** Whether something runs for it. */
  readonly hasReadyPods: boolean;
}

/** The children of the operator's objects, of the kinds that it makes. */
export function childrenAtRest(
  op: number,
  objects: Iterable<readonly [ObjectId, DynamicObject]>,
  primaries: ReadonlySet<string>,
): readonly ChildAtRest[] {
  const isOwn = ({ apiVersion, kind, controller }: OwnerReference): boolean =>
    controller === true && primaries.has(kindName(parseApiVersion(apiVersion).group, kind));
  return [...objects]
    .filter(([, { metadata }]) => metadata.ownerReferences?.some(isOwn) === true)
    .map(([id, object]) => ({ op, object: id, hasReadyPods: hasReadyPods(object) }));
}
