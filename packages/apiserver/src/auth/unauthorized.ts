import { refusal } from "@kaji/core";
import type { ApiError } from "@kaji/core";

/** 401, which says no more than that. */
export function unauthorized(): ApiError {
  return refusal("Unauthorized", "Unauthorized");
}
