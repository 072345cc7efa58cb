/** Dotted paths to the fields of `T`, at any depth but not through lists: `spec`, `spec.replicas`. */
export type Path<T, Depth extends readonly unknown[] = []> = Depth["length"] extends 12
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? { [K in keyof T & string]-?: K | `${K}.${Path<NonNullable<T[K]>, [...Depth, K]>}` }[keyof T & string]
      : never;

/** Those of them that lead to a value of the type `Leaf`. */
export type PathTo<Leaf, T, Depth extends readonly unknown[] = []> = Depth["length"] extends 12
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? { [K in keyof T & string]-?: Step<K, Leaf, NonNullable<T[K]>, Depth> }[keyof T & string]
      : never;

type Step<K extends string, Leaf, V, Depth extends readonly unknown[]> = V extends Leaf
  ? K
  : V extends object
    ? `${K}.${PathTo<Leaf, V, [...Depth, K]>}`
    : never;

/** What can be shown in a column or compared with a text. */
export type Scalar = string | number | boolean;

/** `spec.replicas` → `.spec.replicas`, the simple form of JSONPath that a CustomResourceDefinition uses. */
export function jsonPathOf(path: string): string {
  return `.${path}`;
}
