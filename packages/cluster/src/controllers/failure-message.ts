import { ApiError, errorMessage } from "@kaji/core";

/** What a failure says, in the server's words where it is a refusal. */
export function failureMessage(error: unknown): string {
  if (error instanceof ApiError) return error.status.message ?? error.message;
  return errorMessage(error);
}
