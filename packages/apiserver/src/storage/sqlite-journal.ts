import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqliteFile } from "./sqlite-file.ts";
import { unavailable } from "./storage-error.ts";
import type { StorageError } from "./storage-error.ts";
import type { Version } from "./version.ts";
import type { Journal } from "./versioned-storage.ts";

/** How many forgotten writes are deleted in one transaction, so that no other write waits long for it. */
const sweepLimit = 1000;

/** How many rows are read at once. */
const pageSize = 500;

/** A log of writes in an SQLite database: one row for each, until it is forgotten. */
export class SqliteJournal implements Journal {
  readonly #file: SqliteFile;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #setCompacted: StatementSync;
  /**
   * Revisions of rows to be deleted. Of each key the older comes before the newer, and a delete last: whatever part of them
   * is gone when the process ends, loading the rest gives the same entries.
   */
  #forgotten: readonly number[] = [];
  #compacted: number;
  /** Why nothing can be kept any more. */
  #broken: StorageError | undefined;
  #sweep: NodeJS.Immediate | undefined;

  constructor(file: SqliteFile) {
    const { database } = file;
    this.#file = file;
    this.#database = database;
    this.#insert = database.prepare("INSERT INTO log VALUES (?, ?, ?)");
    this.#delete = database.prepare("DELETE FROM log WHERE revision = ?");
    this.#setCompacted = database.prepare("UPDATE compaction SET revision = ?");
    this.#compacted = Number(database.prepare("SELECT revision FROM compaction").get()?.["revision"]);
  }

  /** The revision up to which writes have been forgotten. */
  get compacted(): number {
    return this.#compacted;
  }

  /** Every write in the log, in the order of revisions. */
  *versions(): Generator<Version> {
    // Rows fetched together, as arrays, come several times as fast as one by one.
    const page = this.#database.prepare(`SELECT revision, key, value FROM log WHERE revision > ? ORDER BY revision LIMIT ${pageSize}`);
    page.setReturnArrays(true);
    let rows: unknown[];
    let last = 0;
    do {
      rows = page.all(last);
      for (const row of rows) {
        const version = versionOf(row);
        last = version.modRevision;
        yield version;
      }
    } while (rows.length === pageSize);
  }

  async append(writes: readonly Version[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    this.#transact(() => {
      for (const { modRevision, key, bytes } of writes) this.#insert.run(modRevision, key, bytes ?? null);
    });
    try {
      await this.#file.sync();
    } catch (error) {
      // Nobody knows what has reached the disk, and to ask again would not tell: what follows in the log might be lost with it.
      this.#broken = unavailable(error);
      throw this.#broken;
    }
  }

  forget(revisions: readonly number[], compacted: number): void {
    this.#compacted = compacted;
    this.#forgotten = this.#forgotten.concat(revisions);
    this.#sweep ??= setImmediate(() => this.#sweepSome());
  }

  /** Closes the file too. Rows that could not be deleted remain, and are found again by the next who loads the log. */
  close(): void {
    if (this.#sweep !== undefined) {
      clearImmediate(this.#sweep);
      while (this.#tryDelete() && this.#forgotten.length > 0) continue;
    }
    this.#file[Symbol.dispose]();
  }

  #sweepSome(): void {
    this.#sweep = undefined;
    if (this.#tryDelete() && this.#forgotten.length > 0) this.#sweep = setImmediate(() => this.#sweepSome());
  }

  /** Whether there was room to delete some; if not, they are tried again after the next compaction. */
  #tryDelete(): boolean {
    try {
      this.#transact(() => {
        this.#setCompacted.run(this.#compacted);
        for (const revision of this.#forgotten.slice(0, sweepLimit)) this.#delete.run(revision);
      });
    } catch {
      return false; // The next write meets the same trouble, and reports it.
    }
    this.#forgotten = this.#forgotten.slice(sweepLimit);
    return true;
  }

  #transact(change: () => void): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      change();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw unavailable(error);
    }
  }
}

/** The tables are strict: a row is a number, a text and a blob, or null for a delete. */
function versionOf(row: unknown): Version {
  const [revision, key, value] = row as readonly [number, string, Uint8Array | null];
  return { key, modRevision: revision, bytes: value ?? undefined, previous: undefined };
}
