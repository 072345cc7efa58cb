import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StorageError } from "@kaji/apiserver";

/** https://www.sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Keeps other instances out of a data folder until it is disposed of. SQLite's lock on a file of its own does it, which goes with the process however
 * that ends. The file stays: whoever removed it could remove what another has locked by then.
 */
export function lockDataFolder(folder: string): Disposable {
  const path = join(folder, "lock");
  closeSync(openSync(path, "a", 0o600));
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  const database = new Database(path);
  try {
    holdWithPid(database);
  } catch (error) {
    const isHeld = error instanceof Error && "errcode" in error && error.errcode === busy;
    const failure = isHeld ? new StorageError({ type: "Locked", folder, pid: readPid(database) }, { cause: error }) : error;
    database.close();
    throw failure;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** A reserved lock lets others read who has it. It is lost between the two transactions only to somebody who then keeps it. */
function holdWithPid(database: DatabaseSync): void {
  database.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT`);
  database.exec("BEGIN IMMEDIATE");
}

function readPid(database: DatabaseSync): number | undefined {
  try {
    const [pid] = Object.values(database.prepare("PRAGMA user_version").get() ?? {});
    return Number(pid) > 0 ? Number(pid) : undefined;
  } catch {
    return undefined; // The other instance has only begun to start.
  }
}
