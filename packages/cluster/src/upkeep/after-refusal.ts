import { isReason } from "@kaji/core";

/** Whether work that the API refused is done all the same. Any other failure is thrown on. */
export function afterRefusal(error: unknown): "Done" {
  // Gone, or changed meanwhile: then there is another event. Or the server itself is going.
  if (isReason(error, "NotFound", "Conflict", "ServiceUnavailable")) return "Done";
  throw error;
}
