/** The fields of an object that a conversion is about: all but its type and its metadata, which every version has. */
export type ConvertedFields<T> = { readonly [K in Exclude<keyof T & string, "apiVersion" | "kind" | "metadata">]: T[K] };

/** Dotted paths to the fields of `T`, at any depth but not through lists and maps: `spec`, `spec.scale.replicas`. */
export type FieldsIn<T, Depth extends readonly unknown[] = []> = Depth["length"] extends 12
  ? never
  : IsContainer<T> extends true
    ? { [K in keyof T & string]-?: K | `${K}.${FieldsIn<NonNullable<T[K]>, [...Depth, K]>}` }[keyof T & string]
    : never;

/** Those of them in which no further field is: what has to be mapped, one by one or with what it is in. */
export type LeavesIn<T, Depth extends readonly unknown[] = []> = Depth["length"] extends 12
  ? never
  : { [K in keyof T & string]-?: Leaf<K, NonNullable<T[K]>, Depth> }[keyof T & string];

/** What is at a path. It may be absent if anything on the way to it may be. */
export type ValueAt<T, P extends string> = P extends `${infer K}.${infer Rest}`
  ? K extends keyof T
    ? ValueAt<NonNullable<T[K]>, Rest> | Extract<T[K], undefined>
    : never
  : P extends keyof T
    ? T[P]
    : never;

/** The paths at which the value has exactly this type. */
export type FieldsOfType<T, V> = { [P in FieldsIn<T>]: IsSame<ValueAt<T, P>, V> extends true ? P : never }[FieldsIn<T>];

/** The paths that lead to the same in both. */
export type SharedFields<S, H> = {
  [P in FieldsIn<S> & FieldsIn<H>]: IsSame<ValueAt<S, P>, ValueAt<H, P>> extends true ? P : never;
}[FieldsIn<S> & FieldsIn<H>];

/**
 * The value with no field left out: one that may be absent must be said to be `undefined`, so that none is forgotten. Fields are taken from `Required`, since `-?` would
 * take `undefined` away as well in a program without `exactOptionalPropertyTypes`.
 */
export type Complete<V> = V extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : IsContainer<V> extends true
    ? { readonly [K in keyof Required<V>]: Complete<V[K]> | Extract<V[K], undefined> }
    : V;

type Leaf<K extends string, V, Depth extends readonly unknown[]> = IsContainer<V> extends true ? `${K}.${LeavesIn<V, [...Depth, K]>}` : K;

/** Whether a value has fields known by name, at least one. Lists, maps and values of any shape have none. */
type IsContainer<V> = V extends readonly unknown[] ? false : V extends object ? (string extends keyof V ? false : HasKeys<V>) : false;

type HasKeys<V> = [keyof V & string] extends [never] ? false : true;

/** Whether two types are the very same, optional fields included: only then does the compiler take these two functions for one. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the compiler compares by identity what a type parameter is compared with
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
