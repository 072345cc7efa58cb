import { ApiError, isReason } from "@kaji/core";

/** Whether work that the API refused is tried again. Any other failure is thrown on. */
export function afterRefusal(error: unknown): "Done" | "Retry" {
  if (!(error instanceof ApiError)) throw error;
  // Gone, or changed meanwhile: then there is another event. Or the server itself is going.
  return isReason(error, "NotFound", "Conflict", "ServiceUnavailable") ? "Done" : "Retry";
}
