import { invalid, parseApiVersion } from "@kaji/core";
import type { ApiError, DynamicObject, FieldError } from "@kaji/core";
import type { Kind } from "../kind.ts";

/** 422 for an object that is not valid, which is named by the group in which it is kept: an Event is of no group, by whatever path it came. */
export function invalidObject({ storageVersion }: Kind, object: DynamicObject, errors: readonly FieldError[]): ApiError {
  return invalid({ group: parseApiVersion(storageVersion).group, kind: object.kind }, object.metadata.name, errors);
}
