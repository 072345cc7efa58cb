import { ApiError, refusal, thrownError } from "@kaji/core";
import { isStorageFailure } from "../storage/storage-error.ts";

/** What a client is told of something that went wrong. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isStorageFailure(error, "Unavailable")) return refusal("InternalError", `Internal error occurred: ${error.message}`);
  if (isStorageFailure(error, "Closed")) return refusal("ServiceUnavailable", "the server is shutting down");
  const { message } = thrownError(error);
  return refusal("InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}
