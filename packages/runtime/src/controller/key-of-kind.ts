import { ParseError, objectKey, parseObjectKey } from "@kaji/core";
import type { ObjectKey, Resource } from "@kaji/core";

/** The key of an object of a kind. One that none of its objects can have leads nowhere, and nobody would see why: a `ParseError`. */
export function keyOfKind({ kind, scope }: Resource, text: string): ObjectKey {
  const { namespace, name } = parseObjectKey(text);
  if ((scope === "Namespaced") === (namespace !== undefined)) return objectKey({ namespace, name });
  const expected = namespace === undefined ? "in namespaces: objectKey(metadata) makes NAMESPACE/NAME" : "in no namespace: its key is NAME";
  throw new ParseError(`"${text}" is no key of ${kind}, whose objects are ${expected}`);
}
