import { History } from "./history.ts";
import { VersionedStorage } from "./versioned-storage.ts";
import type { StorageOptions } from "./versioned-storage.ts";

/** A storage that lasts as long as the process. It can be forked. */
export function createMemoryStorage(options: StorageOptions): VersionedStorage {
  return new VersionedStorage(new History(), options);
}
