import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { History } from "./history.ts";
import type { Version } from "./version.ts";

const anyWrites = fc.array(fc.record({ key: fc.constantFrom("/a", "/b", "/c"), isDelete: fc.boolean() }), { maxLength: 40, size: "max" });

test("[STO36] whatever part of the forgotten writes has been deleted, loading the rest gives the same history", () => {
  const property = fc.property(anyWrites, fc.nat(40), fc.nat(40), fc.nat(100), (writes, firstBack, secondBack, deleted) => {
    const history = new History();
    const log: Version[] = [];
    for (const { key, isDelete } of writes) {
      const isThere = history.get(key) !== undefined;
      if (isDelete && !isThere) continue;
      const modRevision = history.current + 1;
      const bytes = isDelete ? undefined : Buffer.from(`${key}@${modRevision}`);
      log.push({ key, modRevision, bytes, previous: undefined });
      history.append({ key, modRevision, bytes, previous: undefined });
    }
    const first = history.compact(Math.max(1, history.current - firstBack));
    const forgotten = [...first, ...history.compact(Math.max(1, history.current - secondBack))];
    const gone = new Set(forgotten.slice(0, deleted));

    const loaded = new History(history.compacted);
    const rest = loaded.load(log.filter(({ modRevision }) => !gone.has(modRevision)).map((version) => ({ ...version })));
    assert.deepEqual(contentsOf(loaded), contentsOf(history));
    assert.deepEqual(contentsOf(history.fork()), contentsOf(history));
    const leftOver = forgotten.filter((revision) => !gone.has(revision));
    assert.deepEqual(new Set(rest), new Set(leftOver), "what is left over is found again");
  });
  fc.assert(property, { seed: 36, numRuns: 500 });
});

test("[STO17] the memory of what was forgotten is given back, though what lasts was written in between", () => {
  const history = new History();
  for (let count = 0; count < 4000; count++) {
    const key = count % 20 === 0 ? `/r/lasts/${count}` : "/r/changes";
    history.append({ key, modRevision: history.current + 1, bytes: Buffer.alloc(1000), previous: undefined });
  }
  history.compact(history.current);
  assert.equal(history.newest("/r/changes")?.previous, undefined);
  const { entries } = history.list("/r/", {});
  const buffers = new Set(entries.map(({ bytes }) => bytes.buffer));
  const allocated = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
  assert.ok(entries.length === 201 && allocated < 800_000, `${allocated} bytes for ${entries.length} entries of 1000 bytes`);
});

test("[STO17] what was superseded long ago reads the same, in forks too, until it is forgotten", () => {
  const history = new History();
  const written: { readonly key: string; readonly text: string | undefined }[] = [];
  for (let count = 0; count < 3000; count++) {
    const key = `/r/${count % 7}`;
    const isDelete = count % 11 === 0 && history.get(key) !== undefined;
    const text = isDelete ? undefined : `${count} ${"the same each time ".repeat((count % 13) * 10)}`;
    written.push({ key, text });
    const bytes = text === undefined ? undefined : Buffer.from(text);
    history.append({ key, modRevision: history.current + 1, bytes, previous: undefined });
  }
  const fork = history.fork();
  history.compact(500);
  for (const each of [fork, history]) {
    for (let revision = each.compacted; revision <= each.current; revision += 37) {
      const last = new Map(written.slice(0, revision - 1).map(({ key, text }) => [key, text]));
      const expected = [...last].filter(([, text]) => text !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1));
      const { entries } = each.list("/r/", { atRevision: revision });
      assert.deepEqual(
        entries.map(({ key, bytes }) => [key, Buffer.from(bytes).toString()]),
        expected,
      );
      assert.equal(Buffer.from(each.at(revision + 1)?.bytes ?? []).toString(), written[revision - 1]?.text ?? "");
    }
  }
});

function contentsOf(history: History): unknown {
  const revisions = Array.from({ length: history.current - history.compacted + 1 }, (_, index) => history.compacted + index);
  return {
    current: history.current,
    lists: revisions.map((atRevision) =>
      history.list("/", { atRevision }).entries.map(({ key, bytes }) => `${key} ${Buffer.from(bytes).toString()}`),
    ),
    log: revisions.map((revision) => history.at(revision)?.key),
  };
}
