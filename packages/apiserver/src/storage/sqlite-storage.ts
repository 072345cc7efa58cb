import { errorMessage } from "@kaji/core";
import { History } from "./history.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { StorageError } from "./storage-error.ts";
import type { Storage } from "./storage.ts";
import { VersionedStorage } from "./versioned-storage.ts";
import type { StorageOptions } from "./versioned-storage.ts";

/** A storage kept in a data folder: a write that has been acknowledged survives the loss of power. */
export function openSqliteStorage(folder: string, options: StorageOptions): Storage {
  const file = openSqliteFile(folder);
  try {
    return createSqliteStorage(file, options);
  } catch (error) {
    file[Symbol.dispose]();
    if (error instanceof StorageError) throw error;
    const detail = errorMessage(error);
    throw new StorageError({ type: "Unreadable", file: file.path, detail }, { cause: error });
  }
}

/** A storage on an open file, which is closed along with it. */
export function createSqliteStorage(file: SqliteFile, options: StorageOptions): Storage {
  const journal = new SqliteJournal(file);
  const history = new History(journal.compacted);
  const forgotten = history.load(journal.versions());
  if (forgotten.length > 0) journal.forget(forgotten, journal.compacted);
  return new VersionedStorage(history, options, journal);
}
