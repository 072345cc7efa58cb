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
  if (name === "")
    throw new TypeError(
      `an object key needs a name; it is empty${namespace === undefined || namespace === "" ? "" : ` in namespace ${namespace}`}`,
    );
  return (namespace === undefined || namespace === "" ? name : `${namespace}/${name}`) as ObjectKey;
}

/** Reads `namespace/name` or `name`. */
export function parseObjectKey(key: string): NamespacedName {
  const slash = key.indexOf("/");
  if (key === "" || slash === 0 || slash === key.length - 1 || (slash > 0 && key.includes("/", slash + 1))) {
    throw new ParseError(`object key "${key}" is not of the form NAME or NAMESPACE/NAME`);
  }
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
