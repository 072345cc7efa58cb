import { ApiError, errorMessage } from "@kaji/core";

/** What a failure says, in the server's words where it is a refusal. */
export function failureMessage(error: unknown): string {
  if (error instanceof ApiError) return error.status.message ?? error.message;
  return errorMessage(error);
}

/** Whether a write was refused since its namespace is ending: there is nothing to say about it, and no use in trying again. */
export function isNamespaceEnding(error: unknown): boolean {
  return error instanceof ApiError && (error.details?.causes ?? []).some(({ reason }) => reason === "NamespaceTerminating");
}
