import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Random } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { IncomingObject } from "../wire/incoming-object.ts";
import { SlabStore, storeAlone } from "./slab-store.ts";
import type { StoredObject } from "./stored-object.ts";
import { plainParse } from "../testing/plain-parse.ts";

interface Sample {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly data: string;
}

function rig(): { incoming: IncomingObject; store: SlabStore<Sample>; show: (object: Sample) => IncomingObject } {
  const incoming = new IncomingObject({ type: { group: "", version: "v1", kind: "Sample" } });
  const show = (object: Sample): IncomingObject => {
    incoming.scanner.scan(Buffer.from(JSON.stringify({ apiVersion: "v1", kind: "Sample", ...object })), 0);
    return incoming;
  };
  return { incoming, show, store: new SlabStore(plainParse<Sample>()) };
}

function sample(version: number, size: number): Sample {
  return { metadata: { name: "a", uid: `uid-${version}`, resourceVersion: String(version) }, data: "ü".repeat(size) };
}

/** An object that cannot be packed. */
function noisy(random: Random, version: number, size: number): Sample {
  return { ...sample(version, 0), data: Buffer.from(random.bytes(0.75 * size)).toString("base64") };
}

const operation = fc.record({
  what: fc.constantFrom("add", "replace", "replace", "replace", "remove"),
  which: fc.nat(),
  size: fc.oneof(
    { weight: 9, arbitrary: fc.nat(40) },
    { weight: 9, arbitrary: fc.nat(2000) },
    { weight: 1, arbitrary: fc.constant(140_000) },
  ),
});

test("[SLAB1] [SLAB2] every slot reads as it was written last, and a state that was read stays as it was, however slabs are compacted", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 120, size: "max" }), (operations) => {
      const { store, show } = rig();
      const model = new Map<number, Sample>();
      const held: [StoredObject<Sample>, Sample][] = [];
      for (const [version, { what, which, size }] of operations.entries()) {
        const slot = [...model.keys()][which % Math.max(1, model.size)];
        const object = sample(version, size);
        if (what === "add" || slot === undefined) model.set(store.add(show(object)), object);
        else if (what === "remove") {
          store.remove(slot);
          model.delete(slot);
        } else {
          held.push([store.read(slot), model.get(slot) ?? object]);
          store.replace(slot, show(object));
          model.set(slot, object);
        }
      }
      for (const [state, object] of [...held, ...[...model].map(([slot, object]) => [store.read(slot), object] as const)]) {
        assert.deepEqual(state.value, { apiVersion: "v1", kind: "Sample", ...object });
        assert.deepEqual([state.uid, state.resourceVersion], [object.metadata.uid, object.metadata.resourceVersion]);
      }
    }),
    { numRuns: 60 },
  );
});

test("[SLAB3] memory stays near the size of the objects, whatever the churn", () => {
  const { store, show } = rig();
  const slots = Array.from({ length: 2000 }, (_, index) => store.add(show(sample(index, 500))));
  assert.ok(store.reservedBytes < 1.1 * store.liveBytes + 1024 * 1024, `${store.reservedBytes} of ${store.liveBytes}`);
  for (let round = 0; round < 20_000; round++) store.replace(slots[(round * 7919) % slots.length] ?? 0, show(sample(round, 500)));
  assert.ok(store.reservedBytes < 1.34 * store.liveBytes + 2 * 1024 * 1024, `${store.reservedBytes} of ${store.liveBytes}`);
  for (const slot of slots.slice(10)) store.remove(slot);
  assert.ok(store.reservedBytes < 1.5 * 1024 * 1024, `${store.reservedBytes} of ${store.liveBytes}`);
});

test("[SLAB3] so it does beside an object that is larger than what objects share", () => {
  const { store, show } = rig();
  const random = seededRandom(1);
  store.add(show(noisy(random, 0, 200_000)));
  const slots = Array.from({ length: 2000 }, (_, index) => store.add(show(noisy(random, index, 1000))));
  // Some change all the time, and what lies between them nearly never.
  for (let round = 0; round < 3000; round++)
    store.replace(slots[Math.floor(slots.length * random.next() ** 6)] ?? 0, show(noisy(random, round, 1000)));
  assert.ok(store.reservedBytes < 1.34 * store.liveBytes, `${store.reservedBytes} of ${store.liveBytes}`);
});

test("[SLAB3] a store of one small object that changes all the time stays small", () => {
  const { store, show } = rig();
  const slot = store.add(show(sample(0, 10)));
  for (let round = 0; round < 10_000; round++) store.replace(slot, show(sample(round, 10)));
  assert.ok(store.reservedBytes <= 32 * 1024, String(store.reservedBytes));
});

test("[SLAB1] an object can be put back from the very record that it replaces", () => {
  const { store, show, incoming } = rig();
  const slot = store.add(show(sample(1, 10)));
  store.read(slot).scan(incoming.scanner);
  store.replace(slot, incoming);
  assert.equal(store.read(slot).resourceVersion, "1");
});

test("[SLAB2] a state can be kept outside any store", () => {
  const { show } = rig();
  const alone = storeAlone(show(sample(1, 3)), plainParse<Sample>());
  show(sample(2, 3));
  assert.deepEqual([alone.uid, alone.value.data], ["uid-1", "üüü"]);
});

test("[SLAB1] a slot that is free is refused", () => {
  const { store, show } = rig();
  const slot = store.add(show(sample(1, 1)));
  store.remove(slot);
  assert.throws(() => store.read(slot), new RangeError(`no object in slot ${slot}`));
});

test("[SLAB4] [SLAB5] objects of one kind take a fraction of their text, and all of them still read as they were put in", () => {
  const { store, show } = rig();
  const text = (index: number): string => `${index} is an object with much in common with others, `.repeat(30);
  const object = (index: number): Sample => ({ ...sample(index, 0), data: text(index) });
  const slots = Array.from({ length: 10_000 }, (_, index) => store.add(show(object(index))));
  assert.ok(store.reservedBytes < 0.35 * store.liveBytes, `${store.reservedBytes} of ${store.liveBytes}`);
  const held = store.read(slots[3] ?? 0);
  for (let round = 0; round < 3000; round++) {
    const index = (round * 7919) % slots.length;
    assert.equal(store.read(slots[index] ?? 0).value.data, text(index));
    if (round % 3 === 0) store.replace(slots[index] ?? 0, show(object(index)));
  }
  assert.ok(store.reservedBytes < 0.35 * store.liveBytes, `${store.reservedBytes} of ${store.liveBytes}`);
  assert.deepEqual([held.uid, held.metadata.name, held.value.data], ["uid-3", "a", text(3)]);
});

test("[SLAB4] what cannot be packed is kept as it is", () => {
  const { store, show } = rig();
  const random = seededRandom(1);
  const samples = Array.from({ length: 4000 }, (_, index) => noisy(random, index, 1000));
  const slots = samples.map((object) => store.add(show(object)));
  for (const [index, slot] of slots.entries()) assert.equal(store.read(slot).value.data, samples[index]?.data);
  assert.ok(store.reservedBytes < 1.3 * store.liveBytes, `${store.reservedBytes} of ${store.liveBytes}`);
});
