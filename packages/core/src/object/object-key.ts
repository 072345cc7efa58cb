import { ParseError } from "../error/parse-error.ts";

declare const brand: unique symbol;

/**
 * Namespace and name of an object as one string, `namespace/name` or `name` when cluster-scoped.
 * A primitive, because sets and maps compare objects by identity.
 */
export type ObjectKey = string & { readonly [brand]: "ObjectKey" };

/** An object's namespace, absent when it is cluster-scoped, and its name. */
export interface NamespacedName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The key of an object, from its metadata or from any namespace and name. */
export function objectKey({ namespace, name }: NamespacedName): ObjectKey {
  if (name === "") throw new TypeError("an object key needs a name");
  return (namespace === undefined || namespace === "" ? name : `${namespace}/${name}`) as ObjectKey;
}

/** Reads `namespace/name` or `name`. */
export function parseObjectKey(key: string): NamespacedName {
  const [first = "", second, ...rest] = key.split("/");
  if (rest.length > 0 || first === "" || second === "") {
    throw new ParseError(`object key "${key}" is not of the form NAME or NAMESPACE/NAME`);
  }
  return second === undefined ? { name: first } : { namespace: first, name: second };
}
