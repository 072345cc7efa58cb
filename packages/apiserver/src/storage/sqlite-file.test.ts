import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import { ManualClock } from "@kaji/core/testing";
import { openSqliteFile } from "./sqlite-file.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";
import { StorageError } from "./storage-error.ts";
import type { StorageFailure } from "./storage-error.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-storage-file-"));
after(() => rmSync(root, { recursive: true }));
const options = { clock: new ManualClock() };

test("[STO37] the write-ahead log can be waited for, and SQLite itself waits for it before it moves what is in it", async () => {
  for (const isNew of [true, false]) {
    using file = openSqliteFile(join(root, "durable"));
    const setting = (name: string): unknown => file.database.prepare(`PRAGMA ${name}`).get()?.[name];
    const normal = 1;
    assert.deepEqual(
      [setting("journal_mode"), setting("synchronous"), setting("fullfsync")],
      ["wal", normal, 1],
      isNew ? "new" : "opened again",
    );
    file.database.exec(`INSERT INTO log VALUES (${isNew ? 2 : 3}, 'key', NULL)`);
    await file.sync();
  }
});

test("[STO40] a data folder in use is refused by name, with the process that uses it, until that one is closed", async () => {
  const folder = join(root, "locked", "made as needed");
  const storage = openSqliteStorage(folder, options);
  assert.deepEqual(failureOf(folder), { type: "Locked", folder, pid: process.pid });
  await storage.put("/r/a", 0, () => Buffer.from("a"));
  await storage.close();
  await using next = openSqliteStorage(folder, options);
  assert.equal(next.count("/r/"), 1);
  assert.deepEqual(failureOf(folder), { type: "Locked", folder, pid: process.pid }, "locked though nothing was written");
});

test("[STO41] a pid left behind by a process that was killed does not lock the folder", async () => {
  const folder = join(root, "stale");
  mkdirSync(folder);
  const someoneElse = 1;
  writeFileSync(join(folder, "storage.pid"), String(someoneElse));
  await using storage = openSqliteStorage(folder, options);
  await storage.put("/r/a", 0, () => Buffer.from("a"));
  assert.deepEqual(failureOf(folder), { type: "Locked", folder, pid: process.pid });
});

test("[STO46] nobody but the owner can read what is stored, whoever can read the folder", () => {
  const folder = join(root, "open to all");
  mkdirSync(folder, { mode: 0o755 });
  using _file = openSqliteFile(folder);
  const open = readdirSync(folder).filter((name) => name !== "storage.pid" && (statSync(join(folder, name)).mode & 0o077) !== 0);
  assert.deepEqual(open, []);
});

test("[STO42] a file that is no database, or is cut short, is refused and left as it is", async () => {
  const folder = await folderWithEntries("damaged");
  const whole = readFileSync(join(folder, "storage.db"));
  for (const content of [Buffer.from("garbage ".repeat(4000)), whole.subarray(0, whole.length >> 1), whole.subarray(0, 700)]) {
    writeFileSync(join(folder, "storage.db"), content);
    const before = contentsOf(folder);
    const failure = failureOf(folder);
    assert.equal(failure.type, "Unreadable");
    assert.equal(failure.type === "Unreadable" && failure.file, join(folder, "storage.db"));
    assert.deepEqual(contentsOf(folder), before);
  }
});

test("[STO42] a log with a write missing is refused, rather than served with a hole", async () => {
  const folder = await folderWithEntries("hole");
  change(folder, "DELETE FROM log WHERE revision = 5");
  const failure = failureOf(folder);
  assert.match(failure.type === "Unreadable" ? failure.detail : "", /revision 6 does not follow on revision 4/);
});

test("[STO43] a database of another program is refused and left as it is", () => {
  const folder = join(root, "foreign");
  mkdirSync(folder);
  change(folder, "CREATE TABLE theirs (x)");
  const before = contentsOf(folder);
  assert.match(new StorageError(failureOf(folder)).message, /storage\.db cannot be read: it is a database of another program/);
  assert.deepEqual(contentsOf(folder), before);
});

test("[STO44] a newer format is refused by its number and left as it is", async () => {
  const folder = await folderWithEntries("newer");
  change(folder, "PRAGMA user_version = 2");
  const before = contentsOf(folder);
  assert.deepEqual(failureOf(folder), { type: "NewerFormat", file: join(folder, "storage.db"), format: 2, supported: 1 });
  assert.deepEqual(contentsOf(folder), before);
});

test("[STO45] a folder that cannot be made or written is refused by name", () => {
  const path = join(root, "a file");
  writeFileSync(path, "");
  const failure = failureOf(path);
  assert.equal(failure.type === "Unreadable" && failure.file, join(path, "storage.db"));
});

async function folderWithEntries(name: string): Promise<string> {
  const folder = join(root, name);
  await using storage = openSqliteStorage(folder, options);
  const keys = Array.from({ length: 200 }, (_, index) => `/r/${index}`);
  await Promise.all(keys.map((key) => storage.put(key, 0, () => Buffer.alloc(500, key))));
  return folder;
}

function change(folder: string, statement: string): void {
  const database = new DatabaseSync(join(folder, "storage.db"));
  database.exec(statement);
  database.close();
}

function failureOf(folder: string): StorageFailure {
  try {
    openSqliteStorage(folder, options);
  } catch (error) {
    if (error instanceof StorageError) return error.failure;
    throw error;
  }
  return assert.fail("it was opened");
}

function contentsOf(folder: string): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")]));
}
