import type { ObjectMeta } from "@kaji/core";
import type { Parse } from "../store/stored-object.ts";

/** Reads objects as `JSON.parse` does. */
export function plainParse<T>(): Parse<T> {
  return { object: (text) => JSON.parse(text) as T, metadata: (text) => JSON.parse(text) as ObjectMeta };
}
