import type { Drafted, KubeObject, ObjectMeta } from "@kaji/core";

/** The type with every field in it optional, at any depth; one that is undefined is not there. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** What one manager wants of an object: just the fields it cares for. */
export type ApplyConfiguration<T extends KubeObject> = Omit<DeepPartial<T>, "apiVersion" | "kind" | "metadata"> & {
  readonly apiVersion?: T["apiVersion"];
  readonly kind?: T["kind"];
  readonly metadata: ObjectMeta;
};

/** A JSON merge patch (RFC 7386): null removes a field, a list is replaced as a whole, by items in which what has a default may be left out. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends Drafted<infer Fields>
    ? FieldsPatch<Omit<T, keyof Fields>> & FieldsPatch<Fields>
    : T extends object
      ? FieldsPatch<T>
      : T;

type FieldsPatch<T> = { readonly [K in keyof T]?: MergePatch<T[K]> | null };

/** A strategic merge patch: as a merge patch, but lists with a merge key are merged item by item. Built-in kinds only. */
export type StrategicPatch<T> = T extends readonly (infer Item)[]
  ? readonly StrategicPatch<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: StrategicPatch<T[K]> | null } & PatchDirectives
    : T;

/** What a strategic merge patch says about the object or the list item it stands in. */
export interface PatchDirectives {
  readonly $patch?: "merge" | "replace" | "delete";
  readonly $retainKeys?: readonly string[];
  readonly [order: `$setElementOrder/${string}`]: readonly unknown[];
  readonly [removal: `$deleteFromPrimitiveList/${string}`]: readonly unknown[];
}
