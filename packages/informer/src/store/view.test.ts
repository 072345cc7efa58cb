import assert from "node:assert/strict";
import { test } from "node:test";
import { InformerRig } from "../testing/informer-rig.ts";
import { Widget, widget } from "../testing/widget.ts";
import { computedIndex, fieldIndex } from "./object-index.ts";
import { metadataOf, transformed, without } from "./view.ts";

const one = { namespace: "shop", name: "one" };
const managed = { managedFields: [{ manager: "me", fieldsV1: { "f:spec": {} } }] };

test("[VIEW1] objects state their type, although lists leave it out, and have no managed fields unless asked for", async () => {
  for (const streams of [true, false]) {
    for (const managedFields of [true, false]) {
      await using rig = new InformerRig({ of: Widget, managedFields });
      rig.server.streams = streams;
      const { metadata, ...rest } = rig.server.put(widget("one", {}, managed));
      await rig.settle();
      const { managedFields: _managed, ...kept } = metadata;
      assert.deepEqual(rig.informer.lister.get(one), { ...rest, metadata: managedFields ? metadata : kept });
    }
  }
});

test("[VIEW2] of metadata nothing else is asked for or kept, own writes included; the type is that of the kind", async () => {
  for (const streams of [true, false]) {
    await using rig = new InformerRig({ of: metadataOf(Widget) });
    rig.server.streams = streams;
    rig.server.put(widget("one", {}, managed));
    await rig.settle();
    assert.equal(rig.server.requests[0]?.scope.metadataOnly, true);
    assert.deepEqual(Object.keys(rig.informer.lister.get(one) ?? {}), ["apiVersion", "kind", "metadata"]);
    const answer = rig.server.put(widget("one", { size: 2 }));
    const version = rig.informer.observeWrite(streams ? answer : { resource: Widget, bytes: Buffer.from(JSON.stringify(answer)) });
    assert.equal(version, answer.metadata.resourceVersion);
    const { apiVersion, kind, metadata, ...rest } = rig.informer.lister.get(one) ?? assert.fail();
    assert.deepEqual([apiVersion, kind, metadata.managedFields, rest], ["example.com/v1", "Widget", undefined, {}]);
  }
});

test("[VIEW3] fields can be left out, and the compiler knows", async () => {
  await using rig = new InformerRig({ of: without(Widget, "spec", "status") });
  rig.server.put({ ...widget("one"), status: { phase: "Ready" } } as Widget);
  await rig.settle();
  const object = rig.informer.lister.get(one) ?? assert.fail();
  assert.deepEqual(Object.keys(object).sort(), ["apiVersion", "kind", "metadata"]);
  // @ts-expect-error -- it was left out
  assert.equal(object.spec, undefined);
  // @ts-expect-error -- metadata cannot be left out
  without(Widget, "metadata");
});

test("[VIEW4] a transform decides what is kept, of lists, events and own writes", async () => {
  const view = transformed(Widget, ({ apiVersion, kind, metadata, spec }) => ({ apiVersion, kind, metadata, double: 2 * spec.size }));
  await using rig = new InformerRig({ of: view });
  rig.server.put(widget("one", { size: 2 }, managed));
  await rig.settle();
  assert.equal(rig.informer.lister.get(one)?.double, 4);
  rig.server.put(widget("one", { size: 3 }));
  await rig.settle();
  assert.equal(rig.informer.lister.get(one)?.double, 6);
  rig.informer.observeWrite(rig.server.put(widget("one", { size: 4 })));
  assert.equal(rig.informer.lister.get(one)?.double, 8);
});

test("[IDX5] objects are found by what a view keeps of them, and the compiler knows what that is", async () => {
  const view = transformed(Widget, ({ apiVersion, kind, metadata, spec }) => ({ apiVersion, kind, metadata, double: 2 * spec.size }));
  const byDouble = fieldIndex(view, "double");
  const byHalf = computedIndex(view, ({ double }) => [String(double / 2)]);
  await using rig = new InformerRig({ of: view });
  for (const [name, size] of Object.entries({ one: 1, two: 2, three: 2 })) rig.server.put(widget(name, { size }));
  await rig.settle();
  const { lister } = rig.informer;
  assert.deepEqual([...lister.keysBy(byDouble, 4)].toSorted(), ["shop/three", "shop/two"]);
  assert.deepEqual(lister.keysBy(byHalf, 1), ["shop/one"]);
  assert.deepEqual(fieldIndex(metadataOf(Widget), "metadata.name").type, "Field");
  // @ts-expect-error -- the view does not keep it
  fieldIndex(view, "spec.size");
});

test("[VIEW5] an object that a transform fails on, or makes another object of, is reported and left out", async () => {
  const view = transformed(Widget, (object) => {
    if (object.spec.size === 2) throw new Error("two");
    return object.spec.size === 3 ? { ...object, metadata: { ...object.metadata, name: "other" } } : object;
  });
  await using rig = new InformerRig({ of: view });
  for (const [index, name] of ["a", "b", "c"].entries()) rig.server.put(widget(name, { size: index + 1 }));
  await rig.settle();
  rig.server.put(widget("a", { size: 2 }));
  await rig.settle();
  assert.deepEqual(rig.heard(), ["Added shop/a 1", "Deleted shop/a 1 (unknown)"]);
  assert.deepEqual(
    rig.failures.map((failure) => [failure.type, "key" in failure && failure.key, String(failure.error)]),
    [
      ["Transform", "shop/b", "Error: two"],
      [
        "Transform",
        "shop/c",
        "TypeError: the transform of example.com/v1, Kind=Widget must keep metadata.name, namespace, uid and resourceVersion of shop/c",
      ],
      ["Transform", "shop/a", "Error: two"],
    ],
  );
});
