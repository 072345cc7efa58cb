import { controllerOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { isOfAnyKind } from "@kaji/runtime";
import type { Controller, Owned, Watched } from "@kaji/runtime";
import { kindName, kindOfId } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import { hasReadyPods } from "../simulation/pod-crash.ts";
import type { ChildAtRest } from "./children-at-rest.ts";

/** The objects without an owner that the operator applies, of kinds that it owns, or watches to that end: it looks after them as after children. */
export function keptAtRest(
  op: number,
  objects: Iterable<readonly [ObjectId, DynamicObject]>,
  controllers: readonly Controller[],
): readonly ChildAtRest[] {
  const isKept = ([id, object]: readonly [ObjectId, DynamicObject]): boolean =>
    controllerOf(object) === undefined &&
    controllers.some(
      ({ fieldManager, owns, watches }) =>
        isAppliedBy(object, fieldManager) && [...owns, ...watches].some((declared) => isAppliedKind(declared, id)),
    );
  return [...objects].filter(isKept).map(([id, object]) => ({ op, object: id, hasReadyPods: hasReadyPods(object) }));
}

function isAppliedBy({ metadata: { managedFields = [] } }: DynamicObject, fieldManager: string): boolean {
  return managedFields.some(({ manager, operation }) => manager === fieldManager && operation === "Apply");
}

function isAppliedKind(declared: Owned | Watched, id: ObjectId): boolean {
  const { applied, resource } = declared;
  return applied === true && (isOfAnyKind(declared) || kindName(resource.group, resource.kind) === kindOfId(id));
}
