import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import type { Random } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import type { Entry, Storage } from "./storage.ts";

/** A storage that is to survive the end of its process, and the test file that calls this, which is also the program of the writers. */
export interface CrashKind {
  readonly file: string;
  readonly kills: number;
  /** A new place for a storage, such as a folder. */
  prepare(): Promise<AsyncDisposable & { readonly place: string }>;
  open(place: string): Storage | Promise<Storage>;
}

/** Every storage that outlives its process keeps this rule (SPEC.md, Storage). */
export async function crashContract(kind: CrashKind): Promise<void> {
  const [role, place = "", seed = ""] = process.argv.slice(2);
  if (role === "writer") return writeUntilKilled(await kind.open(place), seededRandom(Number(seed)));
  const title = `[STO35] after each of ${kind.kills} kills no acknowledged write is lost, none is half there, and a listener misses nothing`;
  test(title, () => crashes(kind));
}

/** An acknowledged write: what is under the key since that revision, 0 bytes meaning deleted. */
interface Acknowledged {
  readonly key: string;
  readonly revision: number;
  readonly size: number;
}

async function crashes(kind: CrashKind): Promise<void> {
  const random = seededRandom(6);
  let lastRevision = 1;
  let acknowledgedInAll = 0;
  await using prepared = await kind.prepare();
  for (let kill = 0; kill < kind.kills; kill++) {
    const acknowledged = await killWriter(kind, prepared.place, kill, below(random, 300));
    acknowledgedInAll += acknowledged.length;
    await using storage = await kind.open(prepared.place);
    checkNothingLost(storage, acknowledged, lastRevision);
    lastRevision = storage.currentRevision;
  }
  assert.ok(acknowledgedInAll > kind.kills * 50, `only ${acknowledgedInAll} writes were acknowledged`);
}

/** Kills a writer once it has acknowledged so many writes; returns all it has. */
async function killWriter({ file }: CrashKind, place: string, seed: number, limit: number): Promise<Acknowledged[]> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [...process.execArgv, file, "writer", place, String(seed)];
  const writer = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
  const exit = once(writer, "exit");
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface(writer.stdout)) {
    if (line === "open") {
      if (limit === 0) writer.kill("SIGKILL");
      continue;
    }
    const [key = "", revision, size] = line.split(" ");
    acknowledged.push({ key, revision: Number(revision), size: Number(size) });
    if (acknowledged.length === limit) writer.kill("SIGKILL");
  }
  assert.deepEqual(await exit, [null, "SIGKILL"]);
  return acknowledged;
}

/** `lastRevision` is where the listener was before the writer began. */
function checkNothingLost(storage: Storage, acknowledged: readonly Acknowledged[], lastRevision: number): void {
  const sizes = new Map<number, string>();
  let heard = lastRevision;
  storage.subscribe("/", lastRevision, (event) => {
    assert.equal(event.revision, heard + 1, "the listener hears every revision");
    heard = event.revision;
    if (event.type === "Put") checkWhole(event.entry);
    sizes.set(event.revision, `${event.key} ${event.type === "Put" ? event.entry.bytes.byteLength : 0}`);
  });
  assert.equal(heard, storage.currentRevision);
  for (const { key, revision, size } of acknowledged) {
    assert.equal(sizes.get(revision), `${key} ${size}`, `revision ${revision} is as it was acknowledged`);
    const entry = storage.get(key);
    if (size > 0 && !isSuperseded(storage, key, revision)) assert.equal(entry?.modRevision, revision);
  }
  for (const entry of storage.list("/").entries) checkWhole(entry);
}

function isSuperseded(storage: Storage, key: string, revision: number): boolean {
  let superseded = false;
  storage.subscribe(key, revision, () => (superseded = true))[Symbol.dispose]();
  return superseded;
}

/** A value says its revision at both ends, and its size. */
function checkWhole({ key, bytes, modRevision }: Entry): void {
  const text = Buffer.from(bytes).toString();
  assert.ok(text.startsWith(`${modRevision} `) && text.endsWith(` ${modRevision}`), `${key} at ${modRevision} is whole: ${text}`);
  assert.equal(text.split(" ")[1], String(bytes.byteLength));
}

/** Several tasks write, delete and compact as fast as they can, and say so once it is durable. */
async function writeUntilKilled(storage: Storage, random: Random): Promise<never> {
  const startRevision = storage.currentRevision;
  process.stdout.write("open\n");
  const writeOne = async (): Promise<void> => {
    const key = `/r/${below(random, 40)}`;
    const current = storage.get(key);
    const isDelete = current !== undefined && below(random, 4) === 0;
    const size = isDelete ? 0 : 40 + below(random, 3000);
    const result = isDelete
      ? await storage.delete(key, current.modRevision)
      : await storage.put(key, current?.modRevision ?? 0, (revision) => value(revision, size));
    if (result.type === "Conflict") return;
    const revision = result.type === "Stored" ? result.entry.modRevision : result.revision;
    process.stdout.write(`${key} ${revision} ${size}\n`);
    // Behind where this writer began, so that the listener can resume.
    if (below(random, 50) === 0) storage.compact(Math.max(1, startRevision - below(random, 20)));
  };
  const writeForever = async (): Promise<never> => {
    for (;;) await writeOne();
  };
  return Promise.race(Array.from({ length: 8 }, writeForever));
}

function value(revision: number, size: number): Uint8Array {
  const start = `${revision} ${size} `;
  const end = ` ${revision}`;
  return Buffer.from(start + "x".repeat(size - start.length - end.length) + end);
}

/** As `randomBelow` of core, which a writer that is to start fast does not load. */
function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}
