import { objectKey } from "@kaji/core";
import type { DraftMeta, NamespacedName, ObjectKey } from "@kaji/core";

/** Which object is written: by its name, and as far as more is known of it. */
export interface WriteAddress extends NamespacedName {
  /** Empty where the server makes one up. */
  readonly name: string;
  /** What a name begins with that the server makes up. */
  readonly generateName?: string | undefined;
  readonly uid?: string | undefined;
}

/** The address of an object that is written whole. */
export function addressOf({ metadata }: { readonly metadata: DraftMeta }): WriteAddress {
  const { name = "", namespace, generateName, uid } = metadata;
  return { name, namespace, generateName, uid };
}

/** The key of what is written. Where the server makes up the name, `web-*` stands for it until there is an answer. */
export function writtenKey({ namespace, name, generateName = "" }: WriteAddress): ObjectKey {
  return objectKey({ namespace, name: name === "" ? `${generateName}*` : name });
}
