import { isReason } from "@kaji/core";

/** Waits for a request; that another client was faster, so that the object is gone or has changed, is no failure. */
export async function unlessOutrun(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isReason(error, "NotFound", "Conflict")) throw error;
  }
}
