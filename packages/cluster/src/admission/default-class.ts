import type { StoredObjects } from "./stored-objects.ts";

/** The name of the class that is the default one by an annotation: of several the newest, and of those of one moment the first by name. */
export function defaultClass(objects: StoredObjects, path: string, annotation: string): string | undefined {
  let found: { readonly name: string; readonly creationTimestamp?: string } | undefined;
  // They come by name.
  for (const { metadata } of objects.list(path)) {
    if (metadata.annotations?.[annotation] !== "true") continue;
    if (found === undefined || (metadata.creationTimestamp ?? "") > (found.creationTimestamp ?? "")) found = metadata;
  }
  return found?.name;
}
