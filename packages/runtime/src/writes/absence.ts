import { isReason } from "@kaji/core";
import type { NamespacedName, Resource } from "@kaji/core";
import type { Informers } from "@kaji/informer";
import type { WriteAddress } from "./write-address.ts";

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

/** Hides an object that is not there from cache reads, before the watch event of its deletion comes. */
export function observeAbsence(informers: Informers, resource: Resource, { name, namespace, uid }: WriteAddress): void {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) };
  informers.observeDeletion(resource, { name, namespace }, { apiVersion: "", kind: resource.kind, metadata });
}
