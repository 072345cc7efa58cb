import { controllerOf } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { isOfAnyKind } from "@kaji/runtime";
import type { Controller, Watched } from "@kaji/runtime";
import { kindName, kindOfId } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import { hasReadyPods } from "../simulation/pod-crash.ts";
import type { ChildAtRest } from "./single-faults.ts";

/** The objects without an owner that the operator applies, of kinds that it watches to that end: it looks after them as after children. */
export function keptAtRest(
  op: number,
  objects: Iterable<readonly [ObjectId, DynamicObject]>,
  controllers: readonly Controller[],
): readonly ChildAtRest[] {
  const isKept = ([id, object]: readonly [ObjectId, DynamicObject]): boolean =>
    controllerOf(object) === undefined &&
    controllers.some(
      ({ fieldManager, watches }) => isAppliedBy(object, fieldManager) && watches.some((watched) => isAppliedKind(watched, id)),
    );
  return [...objects].filter(isKept).map(([id, object]) => ({ op, object: id, hasReadyPods: hasReadyPods(object) }));
}

function isAppliedBy({ metadata: { managedFields = [] } }: DynamicObject, fieldManager: string): boolean {
  return managedFields.some(({ manager, operation }) => manager === fieldManager && operation === "Apply");
}

function isAppliedKind(watched: Watched, id: ObjectId): boolean {
  const { applied, resource } = watched;
  return applied === true && (isOfAnyKind(watched) || kindName(resource.group, resource.kind) === kindOfId(id));
}
