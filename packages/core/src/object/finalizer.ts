import type { WithMetadata } from "./owner-reference.ts";

/** Whether the object's deletion waits for this finalizer. */
export function hasFinalizer({ metadata }: WithMetadata, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/** The object with the finalizer; the very same object if it has it. */
export function addFinalizer<T extends WithMetadata>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] } };
}

/** The object without the finalizer; the very same object if it does not have it. */
export function removeFinalizer<T extends WithMetadata>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const { finalizers = [], ...metadata } = object.metadata;
  const left = finalizers.filter((other) => other !== finalizer);
  return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
}
