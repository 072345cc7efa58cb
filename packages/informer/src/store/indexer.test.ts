import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey, parseSelector } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import fc from "fast-check";
import { IncomingObject } from "../wire/incoming-object.ts";
import { Indexer } from "./indexer.ts";
import { Lister } from "./lister.ts";
import { byNamespace, byOwner, computedIndex, fieldIndex, labelIndex, valuesIn } from "./object-index.ts";
import type { Index } from "./object-index.ts";
import { plainParse } from "../testing/plain-parse.ts";
import { Widget, widget } from "../testing/widget.ts";

function rig(parsedObjects?: number): {
  indexer: Indexer<Widget>;
  lister: Lister<Widget>;
  put: (object: Widget) => void;
  failures: unknown[];
} {
  const failures: unknown[] = [];
  const incoming = new IncomingObject({ type: Widget });
  const indexer = new Indexer<Widget>(incoming, plainParse(), (error) => failures.push(error), { parsedObjects });
  const put = (object: Widget): void => {
    incoming.scanner.scan(Buffer.from(JSON.stringify(object)), 0);
    indexer.put(objectKey(object.metadata));
  };
  return { indexer, lister: new Lister(indexer), put, failures };
}

const bySize = fieldIndex(Widget, "spec.size");
const byPart = fieldIndex(Widget, "spec.parts[].name");
const byPhase = fieldIndex(Widget, "status.phase");
const byParity = computedIndex(Widget, ({ spec }) => [spec.size % 2 === 0 ? "even" : "odd"]);
const byApp = labelIndex("app.kubernetes.io/name");

const indexes: readonly (readonly [Index<Widget>, (object: Widget) => readonly string[]])[] = [
  [bySize, ({ spec }) => [String(spec.size)]],
  [byPart, ({ spec }) => spec.parts?.map(({ name }) => name) ?? []],
  [byParity, ({ spec }) => [spec.size % 2 === 0 ? "even" : "odd"]],
  [byApp, ({ metadata }) => [metadata.labels?.["app.kubernetes.io/name"] ?? []].flat()],
  [byNamespace, ({ metadata }) => [metadata.namespace ?? []].flat()],
  [byOwner, ({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? []],
];

const anyWidget = fc
  .record({
    name: fc.constantFrom("a", "b", "c", "d"),
    namespace: fc.constantFrom("one", "two"),
    size: fc.nat(3),
    parts: fc.array(fc.constantFrom("x", "y", 'z\\"ü'), { maxLength: 3 }),
    app: fc.constantFrom("web", "db", undefined),
    owners: fc.array(fc.constantFrom("u1", "u2"), { maxLength: 2 }),
  })
  .map(({ name, namespace, size, parts, app, owners }) =>
    widget(
      name,
      { size, parts: parts.map((part) => ({ name: part })) },
      {
        namespace,
        labels: app === undefined ? {} : { "app.kubernetes.io/name": app },
        ownerReferences: owners.map((uid) => ({ apiVersion: "v1", kind: "Owner", name: uid, uid })),
      },
    ),
  );

test("[IDX1] [IDX2] [LIST1] objects are found by key, namespace, selector and any index, whether it was there before them or after", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), anyWidget), { maxLength: 30 }), fc.nat(30), (operations, when) => {
      const { indexer, lister, put } = rig();
      const model = new Map<ObjectKey, Widget>();
      for (const [index, [isRemoval, object]] of operations.entries()) {
        if (index === when) for (const [declared] of indexes) indexer.addIndex(declared);
        const key = objectKey(object.metadata);
        if (isRemoval) indexer.remove(key);
        else put(object);
        if (isRemoval) model.delete(key);
        else model.set(key, object);
      }
      const objects = [...model.values()];
      assert.deepEqual(sorted(lister.list()), sorted(objects));
      for (const [key, object] of model) assert.deepEqual(lister.get(key), object);
      for (const [index, valuesOf] of indexes) {
        for (const object of objects) assert.deepEqual(valuesIn(index, object), new Set(valuesOf(object)));
        for (const value of ["0", "1", "even", "odd", "x", 'z\\"ü', "web", "one", "u1", "none"]) {
          const found = objects.filter((object) => valuesOf(object).includes(value));
          assert.deepEqual(sorted(lister.by(index, value)), sorted(found));
          const inTwo = found.filter(({ metadata }) => metadata.namespace === "two");
          assert.deepEqual(sorted(lister.by(index, value, { namespace: "two" })), sorted(inTwo));
        }
      }
      const text = "app.kubernetes.io/name in (web,db),app.kubernetes.io/name!=db";
      const isWeb = ({ metadata }: Widget): boolean => metadata.labels?.["app.kubernetes.io/name"] === "web";
      const webs = sorted(objects.filter((object) => isWeb(object) && object.metadata.namespace === "two"));
      for (const labelSelector of [text, parseSelector(text), { matchLabels: { "app.kubernetes.io/name": "web" } }]) {
        assert.deepEqual(sorted(lister.list({ namespace: "two", labelSelector })), webs);
      }
    }),
    { numRuns: 200 },
  );
});

test("[IDX2] scalars of any type are values; what is absent, null or not a scalar is none", () => {
  const { lister, put } = rig();
  put(widget("a", { size: 1.5 }));
  put({ ...widget("b"), status: { phase: "Ready" } });
  // @ts-expect-error A server may serve what the type does not foresee.
  put({ ...widget("c"), status: { phase: null } });
  // @ts-expect-error As before.
  put({ ...widget("d"), status: { phase: ["Ready"] } });
  assert.deepEqual(lister.keysBy(bySize, 1.5), ["shop/a"]);
  assert.deepEqual(lister.keysBy(byPhase, "Ready"), ["shop/b"]);
  assert.deepEqual(lister.keysBy(byPhase, "null"), []);
});

test("[IDX3] a computed index that throws is reported, and the object is found by everything else", () => {
  const { lister, put, indexer, failures } = rig();
  const broken = computedIndex(Widget, ({ spec }) => {
    if (spec.size === 2) throw new Error("no");
    return ["yes"];
  });
  indexer.addIndex(broken);
  put(widget("a"));
  put(widget("b", { size: 2 }));
  assert.deepEqual([lister.keysBy(broken, "yes"), lister.keysBy(bySize, 2), failures.length], [["shop/a"], ["shop/b"], 1]);
});

test("[LIST2] an object is the same for all its readers until it changes, and is then another", () => {
  const { lister, put } = rig();
  put(widget("a"));
  const first = lister.get({ namespace: "shop", name: "a" });
  assert.equal(lister.get({ namespace: "shop", name: "a" }), first);
  put(widget("a", { size: 2 }));
  assert.deepEqual([first?.spec.size, lister.get({ namespace: "shop", name: "a" })?.spec.size], [1, 2]);
});

test("[LIST2] a state that was handed out shares its object with readers, and keeps it when the object changes", () => {
  const { indexer, lister, put } = rig();
  const address = { namespace: "shop", name: "a" };
  put(widget("a"));
  const state = indexer.state(objectKey(address));
  const object = state?.value;
  assert.equal(lister.get(address), object);
  assert.equal(indexer.state(objectKey(address))?.value, object);
  put(widget("a", { size: 2 }));
  assert.equal(state?.value, object);
  assert.equal(indexer.state(objectKey(address))?.value, lister.get(address));
  assert.equal(lister.get(address)?.spec.size, 2);
});

test("[LIST2] an object stays at hand while others are looked at for their labels alone, and its own are not looked for in its text", () => {
  const { indexer, lister, put } = rig(1);
  for (const name of ["a", "b", "c"]) put(widget(name, {}, { labels: { app: name } }));
  const key = objectKey({ namespace: "shop", name: "a" });
  const a = lister.get(key);
  assert.deepEqual([...lister.list({ labelSelector: "app=none" })], []);
  assert.equal(lister.get(key), a);
  assert.equal(indexer.labels(key), a?.metadata.labels);
});

test("[LIST3] a list goes on while objects change: what is gone when its turn comes is left out", () => {
  const { indexer, lister, put } = rig();
  for (const name of ["a", "b", "c"]) put(widget(name));
  const names: string[] = [];
  for (const { metadata } of lister.list()) {
    names.push(metadata.name);
    indexer.remove(objectKey({ namespace: "shop", name: "b" }));
    put(widget("d"));
  }
  assert.deepEqual(names, ["a", "c"]);
});

test("[IDX1] what is not there is undefined, also under names that every JavaScript object has", () => {
  const { lister } = rig();
  assert.equal(lister.get({ name: "__proto__" }), undefined);
  assert.deepEqual([...lister.by(bySize, "constructor")], []);
});

function sorted(objects: Iterable<unknown>): string[] {
  return Array.from(objects, (object) => JSON.stringify(object)).sort();
}

test("[LIST2] as many objects as are to be kept are parsed once, however often they are read", () => {
  for (const [parsedObjects, count, isKept] of [
    [undefined, 256, true],
    [undefined, 300, false],
    [512, 300, true],
  ] as const) {
    const { lister, put } = rig(parsedObjects);
    for (let size = 0; size < count; size++) put(widget(`w-${size}`, { size }));
    const first = [...lister.list()];
    assert.equal(
      [...lister.list()].every((object) => first.includes(object)),
      isKept,
      `${count} of ${parsedObjects}`,
    );
  }
});
