import { isReason } from "@kaji/core";
import type { NamespacedName } from "@kaji/core";

/**
 * Whether the server says that an object is not there. Where it does not serve the kind, be it for the moment in which it starts, it says `NotFound` too, and names no object: taken for gone, objects
 * that exist would not be looked after any more.
 */
export function isAbsence(error: unknown, { name }: NamespacedName): boolean {
  return isReason(error, "NotFound") && error.details?.name === name;
}

/** What a request about an object gives; undefined if the object is not there. */
export async function unlessAbsent<T>(address: NamespacedName, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!isAbsence(error, address)) throw error;
    return undefined;
  }
}
