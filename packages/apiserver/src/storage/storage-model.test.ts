import assert from "node:assert/strict";
import fc from "fast-check";
import { covers } from "./key-range.ts";
import { isStorageFailure } from "./storage-error.ts";
import type { Entry, Path, Storage, StorageEvent } from "./storage.ts";

/** Something that may be done to a storage. Numbers that stand for revisions count back from the current one. */
export type Operation =
  | { readonly type: "Put"; readonly key: string; readonly text: string; readonly isStale: boolean }
  | { readonly type: "Delete"; readonly key: string; readonly isStale: boolean }
  | { readonly type: "List"; readonly path: Path; readonly back: number; readonly limit: number | undefined }
  | { readonly type: "Subscribe"; readonly path: Path; readonly back: number }
  | { readonly type: "Compact"; readonly back: number }
  | { readonly type: "Reopen" };

const keys = ["/r/a/x", "/r/a/y", "/r/a/y-1", "/r/a/z/1", "/r/b/x", "/r/ab/x", "/r/c/\u{1f6a2}", "/r/c/\uff01", "/s/x"];
const paths = ["/", "/r/", "/r/a/", "/r/a/y", "/r/a/z/", "/r/b/", "/r/c/", "/t/"];
const anyKey = fc.constantFrom(...keys);
const anyPath = fc.constantFrom(...paths);
const isStale = fc.nat(7).map((dice) => dice === 0);

/** Sequences of operations, mostly writes to few keys. */
export const anyOperations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ type: fc.constant("Put" as const), key: anyKey, text: fc.string({ maxLength: 4 }), isStale }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant("Delete" as const), key: anyKey, isStale }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant("List" as const),
        path: anyPath,
        back: fc.nat(12),
        limit: fc.option(fc.nat(3), { nil: undefined }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("Subscribe" as const), path: anyPath, back: fc.nat(12) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("Compact" as const), back: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("Reopen" as const) }) },
  ),
  { maxLength: 60, size: "max" },
);

interface ModelEntry {
  readonly text: string;
  readonly revision: number;
}

interface Watcher {
  readonly path: Path;
  readonly fromRevision: number;
  readonly seen: string[];
}

/** A storage as one would explain it: a whole copy of the entries for each revision, and a list of events. */
class Model {
  readonly states: ReadonlyMap<string, ModelEntry>[] = [new Map(), new Map()];
  readonly events: { readonly key: string; readonly revision: number; readonly told: string }[] = [];
  compacted = 1;

  get revision(): number {
    return this.states.length - 1;
  }

  at(revision: number): ReadonlyMap<string, ModelEntry> {
    return this.states[revision] ?? new Map();
  }

  write(key: string, text: string | undefined): void {
    const revision = this.revision + 1;
    const previous = this.at(this.revision).get(key);
    const next = new Map(this.at(this.revision));
    if (text === undefined) next.delete(key);
    else next.set(key, { text, revision });
    this.states.push(next);
    this.events.push({ key, revision, told: tellEvent(key, revision, text, previous) });
  }

  list(path: Path, revision: number): string[] {
    const entries = [...this.at(revision)].filter(([key]) => covers(path, key));
    const sorted = entries.toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    return sorted.map(([key, entry]) => `${key}@${entry.revision} ${entry.text}`);
  }
}

/** Closes a storage and opens it again; one that would be empty then is left as it is. */
export type Reopen = (storage: Storage) => Promise<Storage>;

/** Does the operations to a storage and checks that it answers as the model does. */
export async function checkAgainstModel(opened: Storage, operations: readonly Operation[], reopen: Reopen): Promise<void> {
  const model = new Model();
  const watchers: Watcher[] = [];
  let storage = opened;
  let underWay: Promise<void>[] = [];
  const settle = async (): Promise<void> => {
    await Promise.all(underWay);
    underWay = [];
    assert.equal(storage.currentRevision, model.revision);
    for (const watcher of watchers) assert.deepEqual(watcher.seen, eventsAfter(model, watcher), `watcher of ${watcher.path}`);
  };
  for (const operation of operations) {
    if (operation.type === "Put" || operation.type === "Delete") {
      underWay.push(write(storage, model, operation));
      continue;
    }
    await settle();
    if (operation.type === "List") checkList(storage, model, operation);
    else if (operation.type === "Subscribe") subscribe(storage, model, operation, watchers);
    else if (operation.type === "Compact") compact(storage, model, operation.back);
    else storage = await restart(storage, reopen, model, watchers);
  }
  await settle();
  await storage.close();
}

/** Writes follow each other without waiting; the model says at once how each must end. */
async function write(storage: Storage, model: Model, operation: Operation & { readonly type: "Put" | "Delete" }): Promise<void> {
  const { key } = operation;
  const current = model.at(model.revision).get(key);
  const expected = (current?.revision ?? 0) + (operation.isStale ? -1 : 0);
  const revision = model.revision + 1;
  const isRefused = operation.isStale || (operation.type === "Delete" && current === undefined);
  if (!isRefused) model.write(key, operation.type === "Put" ? operation.text : undefined);
  const result =
    operation.type === "Put"
      ? await storage.put(key, expected, (given) => encode(operation.text, given, revision))
      : await storage.delete(key, expected);
  const told = result.type === "Conflict" ? result.current : result.type === "Stored" ? result.entry : result.previous;
  if (isRefused) assert.equal(result.type, "Conflict");
  else assert.equal(result.type, operation.type === "Put" ? "Stored" : "Deleted");
  if (result.type === "Stored")
    assert.deepEqual([text(result.entry), result.entry.modRevision], [operation.type === "Put" ? operation.text : "", revision]);
  else assert.deepEqual([text(told), told?.modRevision], [current?.text, current?.revision]);
  if (result.type === "Deleted") assert.equal(result.revision, revision);
}

function checkList(storage: Storage, model: Model, { path, back, limit }: Operation & { readonly type: "List" }): void {
  const atRevision = Math.max(0, model.revision - back);
  if (atRevision < model.compacted) {
    assert.throws(() => storage.list(path, { atRevision }), isCompactedAt(model.compacted));
    assert.throws(() => storage.get("/r/a/x", atRevision), isCompactedAt(model.compacted));
    return;
  }
  const expected = model.list(path, atRevision);
  const listed: string[] = [];
  let after: string | undefined;
  for (;;) {
    const page = storage.list(path, { atRevision, after, limit: limit === undefined ? undefined : limit + 1 });
    assert.equal(page.revision, atRevision);
    listed.push(...page.entries.map((entry) => `${entry.key}@${entry.modRevision} ${text(entry)}`));
    assert.equal(page.remaining, expected.length - listed.length);
    after = page.entries.at(-1)?.key;
    if (page.remaining === 0) break;
  }
  assert.deepEqual(listed, expected);
  assert.equal(storage.count(path), model.list(path, model.revision).length);
  for (const key of keys) assert.equal(text(storage.get(key, atRevision)), model.at(atRevision).get(key)?.text);
}

function subscribe(storage: Storage, model: Model, { path, back }: Operation & { readonly type: "Subscribe" }, watchers: Watcher[]): void {
  const fromRevision = Math.max(0, model.revision - back);
  const watcher: Watcher = { path, fromRevision, seen: [] };
  if (fromRevision < model.compacted) {
    assert.throws(() => storage.subscribe(path, fromRevision, () => {}), isCompactedAt(model.compacted));
    return;
  }
  storage.subscribe(path, fromRevision, (event) => watcher.seen.push(tellOf(event)));
  watchers.push(watcher);
}

function compact(storage: Storage, model: Model, back: number): void {
  model.compacted = Math.max(model.compacted, model.revision - back);
  storage.compact(Math.max(0, model.revision - back));
  assert.equal(storage.compactedRevision, model.compacted);
}

/** Watchers go on from the last revision they have heard of, as clients do after a restart. */
async function restart(storage: Storage, reopen: Reopen, model: Model, watchers: readonly Watcher[]): Promise<Storage> {
  const reopened = await reopen(storage);
  assert.equal(reopened.currentRevision, model.revision);
  assert.ok(reopened.compactedRevision <= model.compacted);
  model.compacted = reopened.compactedRevision;
  for (const { path, seen } of reopened === storage ? [] : watchers) {
    reopened.subscribe(path, model.revision, (event) => seen.push(tellOf(event)));
  }
  return reopened;
}

function eventsAfter(model: Model, { path, fromRevision }: Watcher): string[] {
  return model.events.filter(({ key, revision }) => revision > fromRevision && covers(path, key)).map(({ told }) => told);
}

function isCompactedAt(oldest: number): (error: unknown) => boolean {
  return (error) => isStorageFailure(error, "Compacted") && error.failure.type === "Compacted" && error.failure.oldest === oldest;
}

function encode(value: string, given: number, expected: number): Uint8Array {
  assert.equal(given, expected);
  return Buffer.from(value);
}

function text(entry: Entry | undefined): string | undefined {
  return entry === undefined ? undefined : Buffer.from(entry.bytes).toString();
}

function tellOf(event: StorageEvent): string {
  const { previous } = event;
  const before = previous === undefined ? undefined : { text: text(previous) ?? "", revision: previous.modRevision };
  return tellEvent(event.key, event.revision, event.type === "Put" ? text(event.entry) : undefined, before);
}

function tellEvent(key: string, revision: number, value: string | undefined, previous: ModelEntry | undefined): string {
  return JSON.stringify({ key, revision, value, previous });
}
