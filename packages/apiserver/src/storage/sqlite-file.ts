import { closeSync, fdatasync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { errorMessage } from "@kaji/core";
import { StorageError } from "./storage-error.ts";

/** Marks the file as ours: "kaji" in ASCII. */
const applicationId = 0x6b616a69;
/** The newest layout of the tables that is understood. */
const supportedFormat = 1;
/** https://www.sqlite.org/rescode.html#busy */
const busy = 5;

const schema = `
  CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, value BLOB) STRICT;
  CREATE TABLE compaction (revision INTEGER NOT NULL) STRICT;
  INSERT INTO compaction VALUES (1);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${supportedFormat};
`;

/** The database in a data folder, held by this process alone until it is disposed of. */
export interface SqliteFile extends Disposable {
  readonly path: string;
  readonly database: DatabaseSync;
  /** Settles when all that was committed before has reached the disk itself. The process goes on meanwhile. */
  sync(): Promise<void>;
}

/** Opens the database of a data folder, or makes it; refuses without changing anything what is locked or not understood. */
export function openSqliteFile(folder: string): SqliteFile {
  const path = join(folder, "storage.db");
  const pidPath = join(folder, "storage.pid");
  const database = attempt(folder, path, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // There are Secrets in it, and the folder may have been there before, open to all. SQLite gives its other files the same mode.
    closeSync(openSync(path, "a", 0o600));
    // Loaded by those who store on disk only: older versions of Node warn of it.
    const sqlite = process.getBuiltinModule("node:sqlite");
    return new sqlite.DatabaseSync(path);
  });
  let log: number;
  try {
    log = attempt(folder, path, () => {
      prepareDatabase(database, path);
      return openSync(`${path}-wal`, "r+");
    });
  } catch (error) {
    database.close();
    throw error;
  }
  notePid(pidPath);
  return {
    path,
    database,
    sync: () => syncData(log),
    [Symbol.dispose]: () => {
      rmSync(pidPath, { force: true });
      closeSync(log);
      database.close();
    },
  };
}

/** On macOS, too, this waits for the disk itself and not only for its cache. */
const syncData = promisify(fdatasync);

function prepareDatabase(database: DatabaseSync, path: string): void {
  // SQLite's own lock on the file keeps others out, and goes with the process however it ends.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const isNew = requireFormat(database, path);
  // A commit is in the write-ahead log, whole or not at all, and is waited for with `sync`. SQLite itself waits for the disk, on macOS too,
  // before and after it moves what is in the log to where it belongs.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA fullfsync = ON");
  if (isNew) database.exec(`BEGIN; ${schema}; COMMIT`);
}

/** Whether the file is new and empty. Refuses one with other content than ours. */
function requireFormat(database: DatabaseSync, file: string): boolean {
  const tables = readNumber(database, "SELECT count(*) FROM sqlite_schema");
  if (tables === 0) return true;
  if (readNumber(database, "PRAGMA application_id") !== applicationId) {
    throw new StorageError({ type: "Unreadable", file, detail: "it is a database of another program" });
  }
  const format = readNumber(database, "PRAGMA user_version");
  if (format > supportedFormat) throw new StorageError({ type: "NewerFormat", file, format, supported: supportedFormat });
  return false;
}

function readNumber(database: DatabaseSync, query: string): number {
  const [value] = Object.values(database.prepare(query).get() ?? {});
  return Number(value);
}

/** Only for the message that another instance gives: a folder is locked by SQLite, not by this file. */
function notePid(path: string): void {
  try {
    writeFileSync(path, String(process.pid));
  } catch {
    // On a full disk that other message lacks the pid; all else works.
  }
}

function readPid(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, "storage.pid"), "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // The other instance has only begun to start.
  }
}

/** Runs a step of opening and gives its failure a name. */
function attempt<T>(folder: string, file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (error instanceof Error && "errcode" in error && error.errcode === busy) {
      throw new StorageError({ type: "Locked", folder, pid: readPid(folder) }, { cause: error });
    }
    const detail = errorMessage(error);
    throw new StorageError({ type: "Unreadable", file, detail }, { cause: error });
  }
}
