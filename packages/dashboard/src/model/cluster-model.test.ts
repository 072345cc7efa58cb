import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { Thing, seen } from "../testing/seen-objects.ts";
import { ClusterModel } from "./cluster-model.ts";
import type { KindTable, SeenObject } from "./kind-table.ts";
import { defaultLimits } from "./limits.ts";
import type { Limits } from "./limits.ts";

function modelWith(limits: Partial<Limits> = {}): { readonly model: ClusterModel; readonly kind: KindTable } {
  const model = new ClusterModel({ ...defaultLimits, ...limits }, new ManualClock());
  return { model, kind: model.addKind(Thing, true) };
}

function listed(model: ClusterModel, kind: KindTable, present: readonly string[] = []): void {
  model.endList(kind, { present: new Set(present), hidden: 0, columns: [] });
}

const told = (model: ClusterModel): readonly string[] =>
  [...model.history].map(
    ({ change }) => `${change.type} ${change.object.name} ${change.fields?.map(({ path, after }) => `${path}=${after}`).join() ?? "?"}`,
  );

test("[DB9] what was there at first is no change; what comes, changes and goes after that is", () => {
  const { model, kind } = modelWith();
  model.put(kind, seen("a", { spec: { x: 1 } }));
  listed(model, kind, ["default/a"]);
  model.put(kind, seen("a", { spec: { x: 1 } }));
  model.put(kind, seen("b"));
  model.put(kind, seen("a", { version: 2, spec: { x: 2 } }));
  model.remove(kind, seen("b"));
  assert.deepEqual(told(model), ["Created b ", "Changed a spec.x=2", "Deleted b "]);
  assert.deepEqual(model.summaries(), [
    { id: "things.example.com", kind: "Thing", group: "example.com", isCustom: true, count: 1, unready: 0, failing: 0, problem: undefined },
  ]);
});

test("what changed or went while nobody looked is found by the next list", () => {
  const { model, kind } = modelWith();
  for (const uid of ["a", "b"]) model.put(kind, seen(uid, { spec: 1 }));
  listed(model, kind, ["default/a", "default/b"]);
  model.put(kind, seen("a", { version: 5, spec: 2 }));
  listed(model, kind, ["default/a"]);
  assert.deepEqual(told(model), ["Changed a spec=2", "Deleted b "]);
});

test("an object of the same name with another uid is another object", () => {
  const { model, kind } = modelWith();
  listed(model, kind);
  model.put(kind, seen("first", { name: "a" }));
  model.put(kind, seen("second", { name: "a" }));
  model.remove(kind, seen("first", { name: "a" }));
  assert.deepEqual(told(model), ["Created a ", "Deleted a ", "Created a "]);
  assert.deepEqual([model.entry("first"), model.entry("second")?.row.key], [undefined, "default/a"]);
});

test("objects without uids, as extension servers have them, are not taken for each other", () => {
  const { model, kind } = modelWith();
  listed(model, kind);
  const bare = (name: string, resourceVersion: string): SeenObject => ({
    object: { apiVersion: "example.com/v1", kind: "Thing", metadata: { name, resourceVersion }, spec: name },
    cells: [],
  });
  for (const name of ["a", "b"]) model.put(kind, bare(name, "1"));
  model.put(kind, bare("a", "2"));
  model.remove(kind, bare("b", "3"));
  assert.deepEqual(told(model), ["Created a ", "Created b ", "Changed a ", "Deleted b "]);
});

test("who belongs to whom is known, also of what is gone", () => {
  const { model, kind } = modelWith();
  listed(model, kind);
  model.put(kind, seen("pod", { owner: "set" }));
  assert.equal(model.isBelow("pod", "bar"), false);
  model.put(kind, seen("set", { owner: "bar" }));
  model.put(kind, seen("bar"));
  assert.deepEqual(
    model.childrenOf("bar").map(({ uid }) => uid),
    ["set"],
  );
  assert.equal(model.isBelow("pod", "bar"), true);
  model.remove(kind, seen("pod"));
  model.remove(kind, seen("set"));
  assert.deepEqual([model.isBelow("pod", "bar"), model.childrenOf("bar")], [true, []]);
  assert.deepEqual([model.isBelow("bar", "pod"), model.isBelow("unknown", "bar")], [false, false]);
});

test("objects that own each other in a circle are no circle to walk in", () => {
  const { model, kind } = modelWith();
  model.put(kind, seen("a", { owner: "b" }));
  model.put(kind, seen("b", { owner: "a" }));
  assert.deepEqual([model.isBelow("a", "b"), model.isBelow("a", "c")], [true, false]);
});

test("a kind that is gone takes its objects with it, and its Events", () => {
  const { model, kind } = modelWith();
  model.put(kind, seen("a", { owner: "b" }));
  model.removeKind(kind.id);
  assert.deepEqual([model.entry("a"), model.childrenOf("b"), model.summaries(), model.kind(kind.id)], [undefined, [], [], undefined]);
});

test("Events are kept for what they are about, and are no changes", () => {
  const { model } = modelWith();
  const events = model.addKind(
    resource<DynamicObject>({ group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" }),
    false,
  );
  listed(model, events);
  const { object } = seen("e1");
  model.put(events, { object: { ...object, involvedObject: { uid: "a" }, reason: "Synced", type: "Warning", count: 3 }, cells: [] });
  assert.deepEqual(
    model.events.of("a").map(({ reason, isWarning, count }) => [reason, isWarning, count]),
    [["Synced", true, 3]],
  );
  assert.equal(model.history.size, 0);
  model.remove(events, seen("e1"));
  assert.deepEqual(model.events.of("a"), []);
});

test("[DB8] whatever happens, no more is kept than the limits allow, and no object has two rows", () => {
  const limits = { objectsPerKind: 5, versionBytes: 2000, changes: 12, changesPerObject: 4, fieldsPerChange: 3, valueLength: 10 };
  const step = fc.record({
    uid: fc.integer({ min: 0, max: 9 }),
    put: fc.boolean(),
    spec: fc.dictionary(fc.string(), fc.string(), { maxKeys: 8 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { model, kind } = modelWith(limits);
      listed(model, kind);
      for (const [index, { uid, put, spec }] of steps.entries()) {
        const object = seen(`uid-${uid}`, { version: index, spec });
        if (put) model.put(kind, object);
        else model.remove(kind, object);
        const ofObject = Map.groupBy(model.history, (record) => record.uid);
        assert.ok(kind.entries.size <= limits.objectsPerKind && model.history.size <= limits.changes);
        assert.ok(ofObject.values().every((changes) => changes.length <= limits.changesPerObject));
        for (const { change } of model.history) {
          assert.ok((change.fields ?? []).length <= limits.fieldsPerChange);
          for (const field of change.fields ?? []) assert.ok((field.after?.length ?? 0) <= limits.valueLength);
        }
      }
    }),
  );
});

test("a version that was not kept is missing from the next change, and from nothing else", () => {
  const { model, kind } = modelWith({ versionBytes: 300 });
  listed(model, kind);
  for (const uid of ["a", "b", "c"]) model.put(kind, seen(uid, { spec: "x".repeat(50) }));
  model.put(kind, seen("a", { version: 2, spec: "y" }));
  model.put(kind, seen("a", { version: 3, spec: "z" }));
  assert.deepEqual(told(model).slice(-2), ["Changed a ?", "Changed a spec=z"]);
});
