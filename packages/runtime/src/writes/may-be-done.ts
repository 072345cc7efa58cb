import { ApiError } from "@kaji/core";

/**
 * Whether a write that failed may have been done all the same: there was no answer, or the server says that it has got none itself. A client repeats some writes, so that what is
 * there already may be what the write has made, and a last attempt that was never sent says nothing of those before.
 */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof ApiError) return error.code >= 500 || error.reason === "AlreadyExists";
  // By which the client refuses what no server is asked to do.
  return !(error instanceof TypeError);
}
