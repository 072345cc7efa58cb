import { RecentMap } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import type { MapForm, MergeSchema } from "./merge-schema.ts";
import { fieldNameOf } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** A set and, in addition, every declared field on the way to its paths: an owner of `spec.replicas` counts as one of `spec`. */
export function withNamedFields(set: FieldSet, schema: MergeSchema): FieldSet {
  return withChildren(set, (child, element) => {
    const name = fieldNameOf(element);
    const declared = name === undefined ? undefined : schema.map?.field(name);
    const type = name === undefined ? itemType(schema, element) : (declared ?? schema.map?.element);
    const named = type === undefined ? child : withNamedFields(child, type);
    return declared === undefined ? named : named.union(FieldSet.leaf);
  });
}

/**
 * Brings a set of old up to a schema of today: an owner of parts of what has since become atomic owns the whole of it.
 * The other way round nothing is to be done: what they own is still theirs.
 */
export function reconcileWithSchema(set: FieldSet, schema: MergeSchema): FieldSet {
  if (upToDate.get(set) === schema) return set;
  const reconciled = reconcile(set, schema);
  upToDate.set(reconciled, schema);
  return reconciled;
}

/** Sets of which nothing is left to be brought up to a schema: those of one object come again with every write. */
const upToDate = new RecentMap<FieldSet, MergeSchema>(64);

function reconcile(set: FieldSet, schema: MergeSchema): FieldSet {
  return withChildren(set, (child, element) => {
    const type = schema.map === undefined ? schema.list?.element : entryType(schema.map, element);
    if (type === undefined || child.children.size === 0) return child;
    return isAtomic(type) ? FieldSet.leaf : isDeduced(type) ? child : reconcile(child, type);
  });
}

function isAtomic({ map, scalar, list }: MergeSchema): boolean {
  if (map !== undefined) return map.atomic && !isOpen(map);
  return scalar === undefined && list?.relationship === "atomic";
}

function isDeduced({ map }: MergeSchema): boolean {
  return map !== undefined && isOpen(map);
}

/** Whether an object may hold anything, so that no schema says how its entries are owned. */
function isOpen({ hasFields, element }: MapForm): boolean {
  return !hasFields && element?.scalar === "untyped";
}

function entryType(map: MapForm, element: PathElement): MergeSchema | undefined {
  const name = fieldNameOf(element);
  return (name === undefined ? undefined : map.field(name)) ?? map.element;
}

function itemType({ list }: MergeSchema, element: PathElement): MergeSchema | undefined {
  return element.startsWith("k:") ? list?.element : undefined;
}

function withChildren(set: FieldSet, change: (child: FieldSet, element: PathElement) => FieldSet): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const changed = change(child, element);
    if (changed !== child) (children ??= new Map(set.children)).set(element, changed);
  }
  return children === undefined ? set : set.withParts(children);
}
