import { refusal } from "../error/api-error.ts";
import type { ApiError } from "../error/api-error.ts";

/** 401, which says no more than that. */
export function unauthorized(): ApiError {
  return refusal("Unauthorized", "Unauthorized");
}
