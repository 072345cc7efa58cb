import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import fc from "fast-check";
import { DeltaFifo } from "./delta-fifo.ts";
import type { Delta } from "./delta.ts";

const keys = ["a", "b", "c"].map((name) => objectKey({ name }));

/** A world of numbered states that tells what happens in it, and a subscriber that believes what it is told. */
class World {
  readonly fifo = new DeltaFifo<number>();
  readonly present = new Map<ObjectKey, number>();
  readonly believed = new Map<ObjectKey, number>();
  #states = 0;

  happen(what: string, key: ObjectKey, writer: unknown): void {
    const previous = this.present.get(key);
    if (what === "sync") {
      if (previous !== undefined) this.#tell({ type: "Sync", key, object: previous, writer: undefined });
    } else if (what === "delete") {
      if (previous === undefined) return;
      this.present.delete(key);
      this.#tell({ type: "Deleted", key, object: previous, finalStateUnknown: false, writer });
    } else {
      const object = ++this.#states;
      this.present.set(key, object);
      if (previous === undefined) this.#tell({ type: "Added", key, object, initial: false, writer });
      else this.#tell({ type: what === "update" ? "Updated" : "Replaced", key, object, previous, writer });
    }
  }

  /** Whether what happens is told by itself, or as one with what waits. */
  isMerging = true;

  #tell(delta: Delta<number>): void {
    if (this.isMerging) this.fifo.merge(delta);
    else this.fifo.append(delta);
  }

  hear(): Delta<number> | undefined {
    const delta = this.fifo.shift();
    if (delta === undefined) return undefined;
    const { key, type } = delta;
    assert.equal(this.believed.has(key), type !== "Added", `${type} ${key}`);
    if (type === "Updated" || type === "Replaced") assert.equal(delta.previous, this.believed.get(key));
    if (type === "Sync") assert.equal(delta.object, this.believed.get(key));
    if (type === "Deleted") this.believed.delete(key);
    else this.believed.set(key, delta.object);
    return delta;
  }
}

test("[FIFO1] [FIFO2] however slow the subscriber, what it is told follows on what it knows, and ends in what is", () => {
  const what = fc.constantFrom("update", "update", "replace", "delete", "sync", "hear", "hear", "merge", "append");
  fc.assert(
    fc.property(fc.array(fc.tuple(what, fc.constantFrom(...keys), fc.constantFrom("me", undefined))), (happenings) => {
      const world = new World();
      for (const [next, key, writer] of happenings) {
        if (next === "hear") world.hear();
        else if (next === "merge" || next === "append") world.isMerging = next === "merge";
        else world.happen(next, key, writer);
        assert.ok(world.fifo.size <= keys.length);
      }
      while (world.hear() !== undefined);
      assert.deepEqual(world.believed, world.present);
    }),
    { numRuns: 1000 },
  );
});

const [key = objectKey({ name: "a" }), other = key] = keys;
const added: Delta<number> = { type: "Added", key, object: 1, initial: true, writer: undefined };
const updated: Delta<number> = { type: "Updated", key, object: 2, previous: 1, writer: undefined };
const replaced: Delta<number> = { type: "Replaced", key, object: 2, previous: 1, writer: undefined };
const again: Delta<number> = { type: "Updated", key, object: 3, previous: 2, writer: undefined };
const deleted: Delta<number> = { type: "Deleted", key, object: 2, finalStateUnknown: true, writer: undefined };
const sync: Delta<number> = { type: "Sync", key, object: 1, writer: undefined };

test("[FIFO2] what waits for one object is merged", () => {
  const cases: readonly (readonly [readonly Delta<number>[], readonly Delta<number>[]])[] = [
    [[added, updated], [{ ...added, object: 2 }]],
    [[updated, again], [{ ...updated, object: 3 }]],
    [[replaced, again], [{ ...replaced, object: 3 }]],
    [[updated, { ...again, type: "Replaced" }], [{ ...replaced, object: 3 }]],
    [[added, deleted], []],
    [[updated, deleted], [deleted]],
    [
      [deleted, added],
      [deleted, added],
    ],
    [[deleted, added, updated, deleted], [deleted]],
    [[sync, updated], [updated]],
    [[sync, sync], [sync]],
    [[updated, sync], [updated]],
  ];
  for (const [pushed, expected] of cases) {
    const fifo = new DeltaFifo<number>();
    for (const delta of pushed) fifo.merge(delta);
    assert.deepEqual(drain(fifo), expected);
  }
});

test("[FIFO2] whoever keeps up is told each state of an object, also of one that came and went", () => {
  const fifo = new DeltaFifo<number>();
  const all = [added, updated, deleted, added, deleted];
  for (const delta of all) fifo.append(delta);
  assert.deepEqual([fifo.size, drain(fifo)], [1, all]);
});

test("[FIFO3] a writer stays with a delta only if it is the writer of all of it", () => {
  const fifo = new DeltaFifo<number>();
  fifo.merge({ ...updated, writer: "me" });
  fifo.merge({ ...again, writer: "me" });
  assert.equal(fifo.shift()?.writer, "me");
  for (const writers of [
    ["me", undefined],
    [undefined, "me"],
    ["me", "you"],
  ]) {
    fifo.merge({ ...updated, writer: writers[0] });
    fifo.merge({ ...again, writer: writers[1] });
    assert.equal(fifo.shift()?.writer, undefined);
  }
});

test("[FIFO1] keys come in the order in which they began to wait", () => {
  const fifo = new DeltaFifo<number>();
  fifo.merge(updated);
  fifo.merge({ ...updated, key: other });
  fifo.merge(again);
  assert.deepEqual(
    drain(fifo).map((delta) => delta.key),
    [key, other],
  );
});

function drain(fifo: DeltaFifo<number>): Delta<number>[] {
  const deltas: Delta<number>[] = [];
  for (let delta = fifo.shift(); delta !== undefined; delta = fifo.shift()) deltas.push(delta);
  return deltas;
}
