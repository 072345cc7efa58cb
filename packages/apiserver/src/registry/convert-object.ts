import type { DynamicObject } from "@kaji/core";
import type { Kind, KindVersion } from "../kind.ts";

/** A kind in one of its versions. */
interface Form {
  readonly kind: Kind;
  readonly version: KindVersion;
}

/** An object in another version, or as another kind that is kept in the same place. */
export async function convertObject(object: DynamicObject, from: Form, to: Form): Promise<DynamicObject> {
  if (from.version === to.version) return object;
  const { remoteConversion } = from.kind;
  if (remoteConversion !== undefined) return remoteConversion.convert(object, to.version.version);
  return to.version.fromStorage(from.version.toStorage(object));
}
