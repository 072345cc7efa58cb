import { ApiError, errorMessage } from "@kaji/core";

/** Runs a step, and says of its failure what it was a part of, as the real server does. A refusal says what it is by itself. */
export function asStep<T>(failure: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new Error(`${failure}: ${errorMessage(error)}`, { cause: error });
  }
}
