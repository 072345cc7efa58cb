import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import fc from "fast-check";
import { isStorageFailure } from "./storage-error.ts";
import { anyOperations, checkAgainstModel } from "./storage-model.test.ts";
import type { Entry, Storage, StorageEvent } from "./storage.ts";
import type { StorageOptions } from "./versioned-storage.ts";

/** How to make a storage of one implementation, and how often to try random operations on it. */
export interface StorageKind {
  /** A new, empty storage. */
  open(options: StorageOptions): Storage | Promise<Storage>;
  /** Closes a storage and opens it again, if it outlives being closed. */
  reopen?(storage: Storage, options: StorageOptions): Promise<Storage>;
  readonly runs: number;
}

/** Every storage keeps these rules (SPEC.md, Storage). */
export function storageContract(kind: StorageKind): void {
  const open = async (options: Partial<StorageOptions> = {}): Promise<Storage> => kind.open({ clock: new ManualClock(), ...options });

  test("[STO1] every write takes the next revision, from 2 on, and what is refused takes none", async () => {
    await using storage = await open();
    assert.equal(storage.currentRevision, 1);
    assert.equal(await put(storage, "/r/a", "1"), 2);
    assert.equal(await put(storage, "/r/b", "1"), 3);
    await storage.put("/r/a", 77, () => assert.fail("not encoded when refused"));
    await assert.rejects(
      storage.put("/r/c", 0, () => {
        throw new Error("cannot encode");
      }),
      /cannot encode/,
    );
    const deleted = await storage.delete("/r/a", 2);
    assert.equal(deleted.type === "Deleted" && deleted.revision, 4);
    assert.equal(await put(storage, "/r/c", "1"), 5);
    assert.equal(storage.currentRevision, 5);
  });

  test("[STO2] a put is done only on the revision it expects, 0 meaning none, and else told the present entry", async () => {
    await using storage = await open();
    await put(storage, "/r/a", "one");
    const exists = await storage.put("/r/a", 0, bytesOf("two"));
    assert.equal(exists.type === "Conflict" && text(exists.current), "one");
    const absent = await storage.put("/r/b", 2, bytesOf("two"));
    assert.deepEqual(absent, { type: "Conflict", current: undefined });
    const updated = await storage.put("/r/a", 2, (revision) => Buffer.from(`at ${revision}`));
    assert.equal(updated.type === "Stored" && text(updated.entry), "at 3");
    assert.equal(text(storage.get("/r/a")), "at 3");
    assert.equal(text(storage.get("/r/a", 2)), "one");
  });

  test("[STO3] a delete is done only on the revision it expects, and then the key is free again", async () => {
    await using storage = await open();
    await put(storage, "/r/a", "one");
    assert.equal((await storage.delete("/r/a", 9)).type, "Conflict");
    assert.deepEqual(await storage.delete("/r/b", 0), { type: "Conflict", current: undefined });
    const deleted = await storage.delete("/r/a", 2);
    assert.equal(deleted.type === "Deleted" && text(deleted.previous), "one");
    assert.equal(storage.get("/r/a"), undefined);
    assert.equal((await storage.put("/r/a", 2, bytesOf("two"))).type, "Conflict");
    assert.equal(await put(storage, "/r/a", "two"), 4);
  });

  test("[STO4] what is stored does not change with the buffer it came from", async () => {
    await using storage = await open();
    const buffer = Buffer.from("before");
    await storage.put("/r/a", 0, () => buffer);
    buffer.write("after!");
    assert.equal(text(storage.get("/r/a")), "before");
  });

  test("[STO5] a path means what is below it if it ends in a slash, else one key; keys are in the order of their bytes", async () => {
    await using storage = await open();
    const keys = ["/r/web/b", "/r/web/a", "/r/web-1/a", "/r/web", "/r/web/\u{1f6a2}", "/r/web/\uff01", "/r/web/a.b"];
    await Promise.all(keys.map((key) => put(storage, key, "")));
    assert.deepEqual(keysOf(storage, "/r/web/"), ["/r/web/a", "/r/web/a.b", "/r/web/b", "/r/web/\uff01", "/r/web/\u{1f6a2}"]);
    assert.deepEqual(keysOf(storage, "/r/web"), ["/r/web"]);
    assert.deepEqual(keysOf(storage, "/r/we/"), []);
    assert.deepEqual([storage.count("/r/"), storage.count("/r/web/"), storage.count("/r/web")], [7, 5, 1]);
  });

  test("[STO6] the pages of a list are of one revision, whatever is written in between", async () => {
    await using storage = await open();
    for (const name of ["a", "b", "c", "d", "e"]) await put(storage, `/r/${name}`, "old");
    const first = storage.list("/r/", { limit: 2 });
    assert.deepEqual([first.entries.map(text), first.remaining, first.revision], [["old", "old"], 3, 6]);
    await storage.delete("/r/c", 4);
    await storage.put("/r/d", 5, bytesOf("new"));
    await put(storage, "/r/ca", "new");
    const second = storage.list("/r/", { atRevision: first.revision, limit: 2, after: "/r/b" });
    assert.deepEqual(
      [second.entries.map(({ key }) => key), second.entries.map(text), second.remaining],
      [["/r/c", "/r/d"], ["old", "old"], 1],
    );
    assert.deepEqual(
      storage.list("/r/", { after: "/r/b" }).entries.map(({ key }) => key),
      ["/r/ca", "/r/d", "/r/e"],
    );
  });

  test("[STO7] a revision that is gone or to come cannot be read, and the error says which can", async () => {
    await using storage = await open();
    for (const value of ["1", "2", "3"]) await write(storage, "/r/a", value);
    storage.compact(3);
    assert.equal(text(storage.get("/r/a", 3)), "2");
    assert.throws(() => storage.get("/r/a", 2), { name: "StorageError", failure: { type: "Compacted", requested: 2, oldest: 3 } });
    assert.throws(() => storage.list("/r/", { atRevision: 2 }), /revision 2 has been compacted; the oldest kept is 3/);
    assert.throws(() => storage.subscribe("/r/", 2, () => {}), { failure: { type: "Compacted", requested: 2, oldest: 3 } });
    assert.throws(() => storage.get("/r/a", 5), { failure: { type: "FutureRevision", requested: 5, current: 4 } });
    assert.throws(() => storage.compact(5), { failure: { type: "FutureRevision", requested: 5, current: 4 } });
  });

  test("[STO8] a subscription gets what has been since its revision, then what comes, until it is disposed of", async () => {
    await using storage = await open();
    await put(storage, "/r/a/1", "one");
    await put(storage, "/r/b/1", "elsewhere");
    await storage.put("/r/a/1", 2, bytesOf("two"));
    const all = listen(storage, "/r/a/", 1);
    const later = listen(storage, "/r/a/", 2);
    const one = listen(storage, "/r/a/1", 4);
    const future = listen(storage, "/r/", 6);
    assert.deepEqual([all.told, later.told], [["2 + one", "4 one > two"], ["4 one > two"]]);
    await storage.delete("/r/a/1", 4);
    await put(storage, "/r/a/1-1", "other");
    later[Symbol.dispose]();
    await put(storage, "/r/a/1", "again");
    assert.deepEqual(all.told.slice(2), ["5 two -", "6 + other", "7 + again"]);
    assert.deepEqual(later.told, ["4 one > two", "5 two -", "6 + other"]);
    assert.deepEqual(one.told, ["5 two -", "7 + again"]);
    assert.deepEqual(future.told, ["7 + again"]);
  });

  test("[STO9] listeners get one and the same event, with the entry before, and before the writer is answered", async () => {
    await using storage = await open();
    const seen: StorageEvent[] = [];
    storage.subscribe("/r/", 1, (event) => seen.push(event));
    storage.subscribe("/r/a", 1, (event) => seen.push(event));
    const result = await storage.put("/r/a", 0, bytesOf("one"));
    assert.equal(seen.length, 2);
    assert.equal(seen[0], seen[1]);
    assert.equal(seen[0]?.type === "Put" && seen[0].entry, result.type === "Stored" && result.entry);
    assert.equal(storage.get("/r/a"), seen[0]?.type === "Put" && seen[0].entry);
  });

  test("[STO10] a listener may write and subscribe: everybody still sees every event once and in order", async () => {
    await using storage = await open();
    const inner: string[] = [];
    const writes: Promise<unknown>[] = [];
    storage.subscribe("/r/", 1, (event) => {
      if (event.revision > 3) return;
      writes.push(put(storage, `/r/from-${event.revision}`, "echo"));
      storage.subscribe("/r/", 1, (later) => inner.push(tell(later)));
    });
    const outer = listen(storage, "/r/", 1);
    await Promise.all([put(storage, "/r/a", "a"), put(storage, "/r/b", "b")]);
    while (writes.length > 0) await writes.shift();
    assert.deepEqual(
      outer.told.map((told) => Number.parseInt(told)),
      [2, 3, 4, 5],
    );
    assert.deepEqual(inner.toSorted(), [...outer.told, ...outer.told].toSorted());
    assert.equal(storage.currentRevision, 5);
  });

  test("[STO11] a write may build on one that is still under way", async () => {
    await using storage = await open();
    const listener = listen(storage, "/r/", 1);
    const results = await Promise.all([
      storage.put("/r/a", 0, bytesOf("1")),
      storage.put("/r/a", 2, bytesOf("2")),
      storage.put("/r/a", 2, bytesOf("too late")),
      storage.delete("/r/a", 3),
      storage.put("/r/a", 3, bytesOf("too late")),
      storage.put("/r/a", 0, bytesOf("3")),
    ]);
    assert.deepEqual(
      results.map(({ type }) => type),
      ["Stored", "Stored", "Conflict", "Deleted", "Conflict", "Stored"],
    );
    assert.deepEqual(listener.told, ["2 + 1", "3 1 > 2", "4 2 -", "5 + 3"]);
    assert.equal(text(storage.get("/r/a", 3)), "2");
    assert.equal(storage.get("/r/a", 4), undefined);
  });

  test("[STO19] the writes of a key that are under way can be waited for", async () => {
    await using storage = await open();
    const listener = listen(storage, "/r/", 1);
    assert.equal(storage.pending("/r/a"), undefined);
    const writes = [storage.put("/r/a", 0, bytesOf("1")), storage.put("/r/a", 2, bytesOf("2")), storage.delete("/r/a", 3)];
    assert.equal(storage.pending("/r/b"), undefined);
    await storage.pending("/r/a");
    assert.deepEqual(listener.told, ["2 + 1", "3 1 > 2", "4 2 -"]);
    assert.equal(storage.pending("/r/a"), undefined);
    await Promise.all(writes);
  });

  test("[STO12] compaction forgets what was superseded and nothing else", async () => {
    await using storage = await open();
    await put(storage, "/r/kept", "kept");
    await put(storage, "/r/gone", "gone");
    await storage.delete("/r/gone", 3);
    await put(storage, "/r/back", "1");
    await storage.delete("/r/back", 5);
    await put(storage, "/r/back", "2");
    storage.compact(6);
    storage.compact(2);
    assert.equal(storage.compactedRevision, 6);
    assert.deepEqual(keysOf(storage, "/r/"), ["/r/back", "/r/kept"]);
    assert.deepEqual(storage.list("/r/", { atRevision: 6 }).entries.map(text), ["kept"]);
    assert.deepEqual(listen(storage, "/r/", 6).told, ["7 + 2"]);
    assert.equal(await put(storage, "/r/gone", "again"), 8);
  });

  test("[STO13] history is kept at least as long as asked for, and then compacted in the background", async () => {
    const clock = new ManualClock();
    await using storage = await open({ clock, historyMs: 1000 });
    await write(storage, "/r/a", "1");
    await clock.advance(600);
    await write(storage, "/r/a", "2");
    await clock.advance(400);
    assert.equal(text(storage.get("/r/a", 2)), "1");
    await clock.advance(200);
    assert.equal(storage.compactedRevision, 2);
    assert.equal(text(storage.get("/r/a", 2)), "1");
    await clock.advance(600);
    assert.equal(storage.compactedRevision, 3);
    assert.equal(clock.pending, 0, "nothing left to compact, no timer");
    await write(storage, "/r/a", "3");
    await clock.advance(1200);
    assert.equal(storage.compactedRevision, 4);
  });

  test("[STO14] a closed storage answers Closed, and holds no timer", async () => {
    const clock = new ManualClock();
    const storage = await open({ clock });
    const listener = listen(storage, "/r/", 1);
    const write = put(storage, "/r/a", "1");
    await storage.close();
    assert.equal(await write, 2, "writes under way are settled");
    assert.deepEqual(listener.told, ["2 + 1"]);
    await storage.close();
    assert.equal(clock.pending, 0);
    assert.throws(() => storage.get("/r/a"), isClosed);
    assert.throws(() => storage.list("/r/"), isClosed);
    assert.throws(() => storage.count("/r/"), isClosed);
    assert.throws(() => storage.compact(2), isClosed);
    assert.throws(() => storage.subscribe("/r/", 2, () => {}), isClosed);
    await assert.rejects(storage.put("/r/b", 0, bytesOf("")), isClosed);
    await assert.rejects(storage.delete("/r/a", 2), isClosed);
  });

  test("[STO15] keys that would read as a folder or not survive are refused", async () => {
    await using storage = await open();
    for (const key of ["", "/r/", "/r/a\0b", "/r/\ud800"])
      await assert.rejects(storage.put(key, 0, bytesOf("")), /cannot be a storage key/);
    await put(storage, "/r/__proto__", "plain data");
    assert.equal(text(storage.get("/r/__proto__")), "plain data");
    assert.equal(storage.get("/r/constructor"), undefined);
  });

  test("[STO16] large and empty values come back as they were", async () => {
    await using storage = await open();
    const large = Buffer.alloc(1_500_000, "large");
    await storage.put("/r/large", 0, () => large);
    await storage.put("/r/empty", 0, bytesOf(""));
    assert.deepEqual(
      storage.list("/r/").entries.map(({ bytes }) => bytes.byteLength),
      [0, 1_500_000],
    );
    assert.equal(Buffer.compare(storage.get("/r/large")?.bytes ?? large.subarray(1), large), 0);
  });

  test("[STO1-12] any sequence of operations answers as a list of copies would", async () => {
    const options = { clock: new ManualClock() };
    const reopen = (storage: Storage): Promise<Storage> => kind.reopen?.(storage, options) ?? Promise.resolve(storage);
    const property = fc.asyncProperty(anyOperations, async (operations) => checkAgainstModel(await open(options), operations, reopen));
    await fc.assert(property, { seed: 16, numRuns: kind.runs });
  });
}

function isClosed(error: unknown): boolean {
  return isStorageFailure(error, "Closed");
}

function bytesOf(value: string): () => Uint8Array {
  return () => Buffer.from(value);
}

function text(entry: Entry | undefined): string | undefined {
  return entry === undefined ? undefined : Buffer.from(entry.bytes).toString();
}

function keysOf(storage: Storage, path: string): string[] {
  return storage.list(path).entries.map(({ key }) => key);
}

/** Creates an entry and returns its revision. */
async function put(storage: Storage, key: string, value: string): Promise<number> {
  const result = await storage.put(key, 0, bytesOf(value));
  assert.equal(result.type, "Stored");
  return result.type === "Stored" ? result.entry.modRevision : 0;
}

/** Creates an entry or replaces it, whatever it was. */
async function write(storage: Storage, key: string, value: string): Promise<void> {
  const result = await storage.put(key, storage.get(key)?.modRevision ?? 0, bytesOf(value));
  assert.equal(result.type, "Stored");
}

function listen(storage: Storage, path: string, fromRevision: number): Disposable & { readonly told: readonly string[] } {
  const told: string[] = [];
  const subscription = storage.subscribe(path, fromRevision, (event) => told.push(tell(event)));
  return { told, [Symbol.dispose]: () => subscription[Symbol.dispose]() };
}

/** An event in short: `2 + new`, `3 old > new` or `4 old -`. */
function tell(event: StorageEvent): string {
  if (event.type === "Delete") return `${event.revision} ${text(event.previous)} -`;
  const change = event.previous === undefined ? "+" : `${text(event.previous)} >`;
  return `${event.revision} ${change} ${text(event.entry)}`;
}
