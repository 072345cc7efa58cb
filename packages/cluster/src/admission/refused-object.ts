import type { AdmissionRequest } from "@kaji/apiserver";
import { forbidden } from "@kaji/core";
import type { ApiError } from "@kaji/core";

/** 403 for an object whose name may not be known yet, because it is to be generated. */
export function refusedObject({ target, object }: AdmissionRequest, why: string): ApiError {
  const { name, generateName } = object?.metadata ?? {};
  return forbidden(target.kind, target.name || name || generateName || "Unknown", why);
}
