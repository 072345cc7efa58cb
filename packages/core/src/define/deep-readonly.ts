import type { Drafted, ObjectMeta } from "../object/kube-object.ts";

/**
 * The type with every field and list in it read-only. Metadata is so by itself, and keeps its name where an editor shows the type; with what other fields an object is
 * written is no part of what is read.
 */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends (...parameters: never) => unknown
    ? T
    : T extends object
      ? {
          readonly [K in keyof T as Exclude<K, keyof Drafted<unknown>>]: T[K] extends infer Part
            ? IsSame<Part, ObjectMeta> extends true
              ? Part
              : DeepReadonly<Part>
            : never;
        }
      : T;

/** Types that are merely assignable to each other are not the same: a mutable field differs from a read-only one. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the compiler compares by identity what a type parameter is compared with
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
