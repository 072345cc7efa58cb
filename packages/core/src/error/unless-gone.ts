import { isReason } from "./api-error.ts";

/** What a request gives; undefined if the object that it is about does not exist. */
export async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isReason(error, "NotFound")) return undefined;
    throw error;
  }
}
