import type { DynamicObject } from "@kaji/core";

/** Writes definitions on behalf of the server. */
export interface CrdWriter {
  /**
   * Changes the status of a definition, and its finalizers with it, however often others write it meanwhile. A change that returns the very same
   * object, or a definition that is gone, writes nothing.
   */
  updateStatus(name: string, change: (live: DynamicObject) => DynamicObject): Promise<void>;
}
