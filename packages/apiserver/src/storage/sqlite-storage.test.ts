import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { openSqliteFile } from "./sqlite-file.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { createSqliteStorage, openSqliteStorage } from "./sqlite-storage.ts";
import { storageContract } from "./storage-contract.test.ts";
import { isStorageFailure } from "./storage-error.ts";
import type { Storage } from "./storage.ts";

const root = mkdtempSync(join(tmpdir(), "kaji-storage-"));
after(() => rmSync(root, { recursive: true }));
const clock = new ManualClock();
const folders = new WeakMap<Storage, string>();

storageContract({
  open: (options) => {
    const folder = newFolder();
    const storage = openSqliteStorage(folder, options);
    folders.set(storage, folder);
    return storage;
  },
  reopen: async (storage, options) => {
    await storage.close();
    const folder = folders.get(storage) ?? "";
    const reopened = openSqliteStorage(folder, options);
    folders.set(reopened, folder);
    return reopened;
  },
  runs: 40,
});

test("[STO30] entries, history and revisions are there after a restart, and a listener resumes", async () => {
  const folder = newFolder();
  {
    await using storage = openSqliteStorage(folder, { clock });
    await create(storage, "/r/a", "b", "c");
    await storage.put("/r/a", 2, () => Buffer.from("updated"));
    await storage.delete("/r/b", 3);
    storage.compact(3);
  }
  await using storage = openSqliteStorage(folder, { clock });
  assert.deepEqual([storage.currentRevision, storage.compactedRevision], [6, 3]);
  assert.equal(Buffer.from(storage.get("/r/a", 4)?.bytes ?? []).toString(), "/r/a");
  const told: string[] = [];
  storage.subscribe("/r/", 4, (event) => told.push(`${event.type} ${event.key} ${event.previous?.modRevision}`));
  assert.deepEqual(told, ["Put /r/a 2", "Delete /r/b 3"]);
});

test("[STO31] revisions never go back, not even when all they wrote has been deleted and compacted", async () => {
  const folder = newFolder();
  {
    await using storage = openSqliteStorage(folder, { clock });
    await create(storage, "/r/a");
    await storage.delete("/r/a", 2);
    storage.compact(3);
    await nextTurn();
  }
  assert.deepEqual(revisionsIn(folder), []);
  await using storage = openSqliteStorage(folder, { clock });
  assert.equal(storage.currentRevision, 3);
  await create(storage, "/r/b");
  assert.equal(storage.currentRevision, 4);
});

test("[STO32] a write is seen by nobody before it is durable, and the writes of one turn become durable together", async () => {
  await using storage = openSqliteStorage(newFolder(), { clock });
  const revisions: number[] = [];
  storage.subscribe("/r/", 1, ({ revision }) => revisions.push(revision));
  const writes = create(storage, "/r/a", "b", "c");
  assert.deepEqual([storage.currentRevision, storage.get("/r/a"), revisions], [1, undefined, []]);
  await writes;
  assert.deepEqual([storage.currentRevision, storage.get("/r/a")?.modRevision, revisions], [4, 2, [2, 3, 4]]);
});

test("[STO32] what is accepted while writes are on their way to the disk builds on them and becomes durable together after them", async () => {
  const disk = slowDisk();
  await using storage = createSqliteStorage(disk.file, { clock });
  const first = storage.put("/r/a", 0, () => Buffer.from("one"));
  await disk.asked();
  const later = [
    storage.put("/r/a", 2, () => Buffer.from("two")),
    storage.put("/r/b", 0, () => Buffer.from("b")),
    storage.delete("/r/a", 3),
  ];
  await nextTurn();
  disk.answer();
  await first;
  assert.deepEqual([storage.currentRevision, Buffer.from(storage.get("/r/a")?.bytes ?? []).toString()], [2, "one"]);
  await disk.asked();
  disk.answer();
  assert.deepEqual(
    (await Promise.all(later)).map(({ type }) => type),
    ["Stored", "Stored", "Deleted"],
  );
  assert.deepEqual([storage.currentRevision, storage.get("/r/a"), storage.get("/r/b")?.modRevision], [5, undefined, 4]);
});

test("[STO37] a write is acknowledged when the disk has it, and not before; so is what is refused because of it", async () => {
  const disk = slowDisk();
  await using storage = createSqliteStorage(disk.file, { clock });
  const settled: string[] = [];
  const write = storage.put("/r/a", 0, () => Buffer.from("a")).then(() => settled.push("write"));
  await disk.asked();
  const conflict = storage.put("/r/a", 0, () => Buffer.from("b")).then(({ type }) => settled.push(type));
  await nextTurn();
  assert.deepEqual([settled, storage.currentRevision], [[], 1]);
  disk.answer();
  await Promise.all([write, conflict]);
  assert.deepEqual([settled.toSorted(), storage.currentRevision], [["Conflict", "write"], 2]);
});

test("[STO37] closing waits for the disk", async () => {
  const disk = slowDisk();
  const storage = createSqliteStorage(disk.file, { clock });
  const write = storage.put("/r/a", 0, () => Buffer.from("a"));
  const closed = storage.close();
  await disk.asked();
  assert.equal(storage.get("/r/a"), undefined);
  disk.answer();
  assert.equal((await write).type, "Stored");
  await closed;
  assert.throws(() => storage.get("/r/a"), { failure: { type: "Closed" } });
});

test("[STO38] [STO19] when the disk fails to take a write, that and all later ones fail, and reads go on", async () => {
  const disk = slowDisk();
  await using storage = createSqliteStorage(disk.file, { clock });
  const first = storage.put("/r/a", 0, () => Buffer.from("a"));
  await disk.asked();
  disk.answer();
  await first;
  const failed = storage.put("/r/b", 0, () => Buffer.from("b"));
  await disk.asked();
  const meanwhile = storage.put("/r/c", 0, () => Buffer.from("c"));
  const pending = storage.pending("/r/c");
  disk.answer(new Error("EIO: i/o error, fdatasync"));
  for (const write of [failed, meanwhile])
    await assert.rejects(write, (error) => isStorageFailure(error, "Unavailable") && /EIO/.test(error.message));
  await assert.rejects(create(storage, "/r/d"), (error) => isStorageFailure(error, "Unavailable") && /EIO/.test(error.message));
  assert.deepEqual([storage.currentRevision, storage.list("/r/").entries.map(({ key }) => key)], [2, ["/r/a"]]);
  await pending;
});

test("[STO33] without room writes fail as one and leave no trace, reads go on, and with room again writes do too", async () => {
  const file = openSqliteFile(newFolder());
  await using storage = createSqliteStorage(file, { clock });
  await create(storage, "/r/old");
  const revisions: number[] = [];
  storage.subscribe("/r/", 2, ({ revision }) => revisions.push(revision));
  const pages = limitPages(file, 0);

  const large = Buffer.alloc(100_000);
  const attempts = [
    storage.put("/r/small", 0, () => Buffer.from("small")),
    storage.put("/r/large", 0, () => large),
    storage.put("/r/small", 0, () => Buffer.from("conflicts with what will not be")),
  ];
  for (const attempt of attempts)
    await assert.rejects(attempt, (error) => isStorageFailure(error, "Unavailable") && /full/.test(error.message));
  assert.deepEqual([storage.currentRevision, storage.list("/r/").entries.map(({ key }) => key), revisions], [2, ["/r/old"], []]);

  limitPages(file, pages + 1000);
  await storage.put("/r/large", 0, () => large);
  assert.deepEqual([storage.get("/r/large")?.modRevision, revisions], [3, [3]]);
});

test("[STO33] whatever a write fails on, it is undone as a whole and the next is tried anew", async () => {
  const file = openSqliteFile(newFolder());
  await using storage = createSqliteStorage(file, { clock });
  file.database.exec("INSERT INTO log VALUES (3, 'in the way', NULL)");
  await assert.rejects(create(storage, "/r/a", "b"), (error) => isStorageFailure(error, "Unavailable"));
  file.database.exec("DELETE FROM log");
  await create(storage, "/r/a", "b");
  assert.equal(storage.currentRevision, 3);
});

test("[STO34] rows that could not be deleted after a compaction are deleted after the next", async () => {
  const folder = newFolder();
  {
    const file = openSqliteFile(folder);
    await using storage = createSqliteStorage(file, { clock });
    await create(storage, "/r/a", "b");
    await storage.delete("/r/a", 2);
    file.database.exec("PRAGMA query_only = ON");
    storage.compact(4);
    await nextTurn();
    await assert.rejects(create(storage, "/r/c"), (error) => isStorageFailure(error, "Unavailable"));
    file.database.exec("PRAGMA query_only = OFF");
    await create(storage, "/r/c");
    storage.compact(5);
  }
  assert.deepEqual(revisionsIn(folder), [3, 5]);
});

test("[STO34] rows that a process did not come to delete are deleted by the next", async () => {
  const folder = newFolder();
  {
    const file = openSqliteFile(folder);
    await using storage = createSqliteStorage(file, { clock });
    await create(storage, "/r/a", "b", "c");
    await storage.put("/r/b", 3, () => Buffer.from("updated"));
    await storage.delete("/r/a", 2);
    file.database.exec("UPDATE compaction SET revision = 6");
  }
  {
    await using storage = openSqliteStorage(folder, { clock });
    assert.deepEqual(
      storage.list("/r/").entries.map(({ modRevision }) => modRevision),
      [5, 4],
    );
    await nextTurn();
  }
  assert.deepEqual(revisionsIn(folder), [4, 5]);
});

test("[STO13] history from before a restart is kept as long again, and then compacted", async () => {
  const folder = newFolder();
  {
    await using storage = openSqliteStorage(folder, { clock });
    const keys = Array.from({ length: 1200 }, (_, index) => `/r/${index}`);
    await Promise.all(keys.map((key) => storage.put(key, 0, () => Buffer.from(key))));
    await Promise.all(keys.slice(0, 1000).map((key, index) => storage.delete(key, index + 2)));
  }
  const restarted = new ManualClock();
  {
    await using storage = openSqliteStorage(folder, { clock: restarted, historyMs: 1000 });
    await restarted.advance(999);
    assert.equal(storage.list("/r/", { atRevision: 1201 }).entries.length, 1200);
    await restarted.advance(200);
    assert.equal(storage.compactedRevision, 2201);
  }
  assert.equal(revisionsIn(folder).length, 200);
});

/** Until the journal has swept away what was forgotten. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A file on a disk that takes as long as the test wants, and fails if it says so. */
function slowDisk(): { readonly file: SqliteFile; asked(): Promise<void>; answer(failure?: Error): void } {
  let waiting = Promise.withResolvers<PromiseWithResolvers<void>>();
  let sync: PromiseWithResolvers<void> | undefined;
  const file = openSqliteFile(newFolder());
  return {
    file: {
      ...file,
      sync() {
        const asked = Promise.withResolvers<void>();
        waiting.resolve(asked);
        return asked.promise;
      },
    },
    async asked() {
      sync = await waiting.promise;
      waiting = Promise.withResolvers();
    },
    answer(failure) {
      if (failure === undefined) sync?.resolve();
      else sync?.reject(failure);
    },
  };
}

function newFolder(): string {
  return mkdtempSync(join(root, "data-"));
}

/** Creates entries side by side, each with its key for a value. */
async function create(storage: Storage, first: string, ...names: readonly string[]): Promise<void> {
  const keys = [first, ...names.map((name) => `/r/${name}`)];
  await Promise.all(keys.map((key) => storage.put(key, 0, () => Buffer.from(key))));
}

/** Lets the file have as many pages; it keeps those it has. Returns the number of pages it may have now. */
function limitPages({ database }: SqliteFile, pages: number): number {
  return Number(database.prepare(`PRAGMA max_page_count = ${Math.max(1, pages)}`).get()?.["max_page_count"]);
}

function revisionsIn(folder: string): number[] {
  using file = openSqliteFile(folder);
  const rows = file.database.prepare("SELECT revision FROM log ORDER BY revision").all();
  return rows.map(({ revision }) => Number(revision));
}
