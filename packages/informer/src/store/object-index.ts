import { isJsonArray, isJsonObject, jsonOf } from "@kaji/core";
import type { JsonValue, KubeObject, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { eachItem } from "../wire/scan-plan.ts";
import type { ScanPath } from "../wire/scan-plan.ts";
import type { View } from "./view.ts";

/**
 * A way to look up objects by a value that they have. It is a value itself, to be passed to the queries of a lister.
 *
 * A `Field` is found in the bytes of an object as it comes in; a `Computed` one costs parsing every object.
 */
export type Index<T> =
  | { readonly type: "Field"; readonly path: ScanPath }
  | { readonly type: "Computed"; readonly values: (object: DeepReadonly<T>) => Iterable<string> };

/** By the field at a path, such as `spec.nodeName`; `[]` stands for each item of a list, as in `metadata.ownerReferences[].uid`. Of a view it is a field that the view keeps. */
export function fieldIndex<T extends KubeObject, const Path extends string>(
  _of: Resource<T> | View<T>,
  path: CheckedPath<T, Path>,
): Index<T> {
  return { type: "Field", path: parsePath(path) };
}

/** By the value of a label. */
export function labelIndex(label: string): Index<KubeObject> {
  return { type: "Field", path: ["metadata", "labels", label] };
}

/** By whatever a function finds in an object, or in what a view keeps of it. It must depend on nothing else. */
export function computedIndex<T extends KubeObject>(
  _of: Resource<T> | View<T>,
  values: (object: DeepReadonly<T>) => Iterable<string>,
): Index<T> {
  return { type: "Computed", values };
}

/** By namespace. */
export const byNamespace: Index<KubeObject> = { type: "Field", path: ["metadata", "namespace"] };

/** By the uid of each owner. */
export const byOwner: Index<KubeObject> = { type: "Field", path: ["metadata", "ownerReferences", eachItem, "uid"] };

/** The values by which an index finds an object, each once. */
export function valuesIn<T extends KubeObject>(index: Index<T>, object: DeepReadonly<T>): ReadonlySet<string> {
  return new Set(index.type === "Field" ? scalarsAt(jsonOf(object), index.path) : index.values(object));
}

function* scalarsAt(value: JsonValue | undefined, [step, ...rest]: ScanPath): Generator<string, undefined> {
  if (step === undefined) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") yield String(value);
  } else if (step === eachItem) {
    if (isJsonArray(value)) for (const item of value) yield* scalarsAt(item, rest);
  } else if (isJsonObject(value) && Object.hasOwn(value, step)) yield* scalarsAt(value[step], rest);
}

/** The path itself if it leads to a scalar of `T`; otherwise what is wrong with it, for the compiler to say. */
export type CheckedPath<T, Path extends string> = [ValueAt<T, Path>] extends [never]
  ? `${Path} leads to no field; [] stands for each item of a list`
  : ValueAt<T, Path> extends string | number | boolean
    ? Path
    : unknown extends ValueAt<T, Path>
      ? Path
      : `${Path} is no single value; go on to a field inside`;

type ValueAt<T, Path extends string> = Path extends `${infer Step}.${infer Rest}` ? ValueAt<Inside<T, Step>, Rest> : Inside<T, Path>;

type Inside<T, Step extends string> = Step extends `${infer Name}[]` ? ItemOf<Field<T, Name>> : Field<T, Step>;

type Field<T, Name extends string> = unknown extends T ? unknown : Name extends keyof T ? Present<T[Name]> : never;

type ItemOf<List> = unknown extends List ? unknown : List extends readonly (infer Item)[] ? Present<Item> : never;

/** As `NonNullable`, but what is unknown stays so. */
type Present<T> = unknown extends T ? unknown : NonNullable<T>;

function parsePath(path: string): ScanPath {
  return path.split(".").flatMap((step) => (step.endsWith("[]") ? [step.slice(0, -2), eachItem] : [step]));
}
