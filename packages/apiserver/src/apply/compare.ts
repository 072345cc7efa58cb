import { isJsonArray, isJsonObject, structuralEqual } from "@kaji/core";
import type { JsonArray, JsonObject, JsonValue } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import { itemsByElement } from "./list-items.ts";
import type { ItemGroup } from "./list-items.ts";
import { entrySchema, formOf, granularList, granularMap } from "./merge-schema.ts";
import type { ListForm, MapForm, MergeSchema } from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { everyPath } from "./to-field-set.ts";

/** What is different in a second value. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const same: Comparison = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
const modifiedLeaf: Comparison = { ...same, modified: FieldSet.leaf };

/** Compares two values of one type. Both must fit it. */
export function compare(left: JsonValue, right: JsonValue, schema: MergeSchema): Comparison {
  const { added, modified, removed } = comparePresent(left, right, schema);
  return {
    added: added.difference(FieldSet.leaf),
    modified: modified.difference(FieldSet.leaf),
    removed: removed.difference(FieldSet.leaf),
  };
}

function comparePresent(left: JsonValue, right: JsonValue, schema: MergeSchema): Comparison {
  if (left === right) return same;
  const before = formOf(schema, left);
  const after = formOf(schema, right);
  const difference = compareAs(after, left, right, schema);
  // A value that changes its form is different in both: what it was goes, what it is comes.
  return before === after ? difference : unite(compareAs(before, left, right, schema), difference);
}

function compareAs(form: keyof MergeSchema | undefined, left: JsonValue, right: JsonValue, schema: MergeSchema): Comparison {
  const map = granularMap(schema, form);
  if (map !== undefined) {
    const before = isJsonObject(left) ? left : {};
    const after = isJsonObject(right) ? right : {};
    if (Object.keys(before).length > 0 || Object.keys(after).length > 0) return compareEntries(before, after, map);
  }
  const list = granularList(schema, form);
  if (list !== undefined) {
    const before = isJsonArray(left) ? left : [];
    const after = isJsonArray(right) ? right : [];
    if (before.length > 0 || after.length > 0) return compareItems(before, after, list);
  }
  // What is empty on both sides is a leaf: null and empty are not the same.
  return structuralEqual(left, right) ? same : modifiedLeaf;
}

function compareEntries(left: JsonObject, right: JsonObject, map: MapForm): Comparison {
  const differences = new Differences();
  for (const name of Object.keys(left)) {
    const before = left[name];
    const after = Object.hasOwn(right, name) ? right[name] : undefined;
    if (before === after || before === undefined) continue;
    const schema = entrySchema(map, name);
    if (after === undefined) {
      differences.remove(fieldElement(name), everyPath(before, schema));
      continue;
    }
    const difference = comparePresent(before, after, schema);
    if (difference !== same) differences.put(fieldElement(name), difference);
  }
  for (const name of Object.keys(right)) {
    const after = right[name];
    if (after === undefined || (Object.hasOwn(left, name) && left[name] !== undefined)) continue;
    differences.add(fieldElement(name), everyPath(after, entrySchema(map, name)));
  }
  return differences.comparison();
}

function compareItems(left: JsonArray, right: JsonArray, list: ListForm): Comparison {
  const differences = new Differences();
  const before = itemsByElement(list, left);
  const after = itemsByElement(list, right);
  for (const [element, olds] of before) compareGroups(differences, element, olds, after.get(element), list.element);
  for (const [element, news] of after) {
    if (!before.has(element)) differences.add(element, pathsOf(news, list.element));
  }
  return differences.comparison();
}

/** Duplicates are one leaf, which comes, changes and goes as a whole. */
function compareGroups(
  differences: Differences,
  element: PathElement,
  olds: ItemGroup,
  news: ItemGroup | undefined,
  schema: MergeSchema,
): void {
  if (olds.length === 1 && news?.length === 1) {
    differences.put(element, comparePresent(olds[0], news[0], schema));
  } else if (olds.length > 1 && news !== undefined && news.length > 1) {
    if (!structuralEqual(olds, news)) differences.put(element, modifiedLeaf);
  } else {
    differences.remove(element, pathsOf(olds, schema));
    if (news !== undefined) differences.add(element, pathsOf(news, schema));
  }
}

function pathsOf(group: ItemGroup, schema: MergeSchema): FieldSet {
  return group.length === 1 ? everyPath(group[0], schema) : FieldSet.leaf;
}

/** The differences of the parts of one value. */
class Differences {
  #added: Map<PathElement, FieldSet> | undefined;
  #modified: Map<PathElement, FieldSet> | undefined;
  #removed: Map<PathElement, FieldSet> | undefined;

  add(element: PathElement, set: FieldSet): void {
    if (!set.isEmpty) (this.#added ??= new Map()).set(element, set);
  }

  remove(element: PathElement, set: FieldSet): void {
    if (!set.isEmpty) (this.#removed ??= new Map()).set(element, set);
  }

  put(element: PathElement, { added, modified, removed }: Comparison): void {
    this.add(element, added);
    this.remove(element, removed);
    if (!modified.isEmpty) (this.#modified ??= new Map()).set(element, modified);
  }

  comparison(): Comparison {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return same;
    return { added: branches(this.#added), modified: branches(this.#modified), removed: branches(this.#removed) };
  }
}

function branches(children: ReadonlyMap<PathElement, FieldSet> | undefined): FieldSet {
  return children === undefined ? FieldSet.empty : FieldSet.parts(children);
}

function unite(left: Comparison, right: Comparison): Comparison {
  return {
    added: left.added.union(right.added),
    modified: left.modified.union(right.modified),
    removed: left.removed.union(right.removed),
  };
}
