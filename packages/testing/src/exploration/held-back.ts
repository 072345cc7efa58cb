import { objectKey, parseApiVersion } from "@kaji/core";
import type { DynamicObject, Resource } from "@kaji/core";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";
import { finalOperations } from "./final-operations.ts";
import type { LeftWorld } from "./final-operations.ts";
import { userFields, userFinalizers } from "./user-fields.ts";

/** Operations that tell whether deleted objects are held back for the sake of others, as a volume is while a pod has it, or for ever. */
export interface HeldBack {
  /** Makes what users want and what they have deleted, and then deletes that. */
  readonly held: readonly Operation[];
  /** The same; then all the rest goes, too. */
  readonly released: readonly Operation[];
}

/** Nothing if the operator holds back none of what users have deleted. */
export function heldBack(
  { objects, overwritten }: LeftWorld,
  resources: readonly Resource[],
  madeByOperator: ReadonlySet<string>,
): HeldBack | undefined {
  const all = [...objects];
  const theirs = all.filter((object) => userFields(object) !== undefined && !madeByOperator.has(object.metadata.uid ?? ""));
  const going = theirs.filter((object) => isGoing(object) && userFinalizers(object).length === 0);
  if (going.length === 0) return undefined;
  const wanted = finalOperations(
    { objects: all.map((each) => (going.includes(each) ? staying(each) : each)), overwritten },
    resources,
    madeByOperator,
  );
  const held = [...wanted, ...deletionsOf(going, resources)];
  const rest = theirs.filter((object) => !isGoing(object));
  return { held, released: [...held, ...deletionsOf(rest.toReversed(), resources)] };
}

function isGoing({ metadata }: DynamicObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function staying(object: DynamicObject): DynamicObject {
  const { deletionTimestamp: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function deletionsOf(objects: readonly DynamicObject[], resources: readonly Resource[]): readonly Operation[] {
  return objects.flatMap(({ apiVersion, kind, metadata }) => {
    const { group } = parseApiVersion(apiVersion);
    const resource = resources.find((each) => each.group === group && each.kind === kind);
    return resource === undefined ? [] : [user.delete(resource, objectKey(metadata))];
  });
}
