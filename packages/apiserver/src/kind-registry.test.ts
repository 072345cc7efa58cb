import assert from "node:assert/strict";
import { test } from "node:test";
import { KindRegistry } from "./kind-registry.ts";
import { widgetKind } from "./testing/widgets.ts";

test("kinds that keep their objects in one place are found together, as long as they are served", () => {
  const widgets = widgetKind();
  const gadgets = { ...widgets, group: "other.example.com" };
  const alone = { ...widgets, group: "third.example.com", storagePrefix: "/registry/third.example.com/widgets/" };
  const registry = new KindRegistry([widgets, alone]);
  assert.deepEqual(registry.sharing(widgets), [widgets]);
  registry.set(gadgets);
  assert.deepEqual(registry.sharing(widgets), [widgets, gadgets]);
  assert.deepEqual(registry.kinds, [widgets, alone, gadgets]);
  registry.delete(widgets);
  assert.deepEqual(registry.sharing(gadgets), [gadgets]);
  assert.deepEqual(registry.kinds, [alone, gadgets]);
});

test("a kind is found by the versions it has now", () => {
  const widgets = widgetKind();
  const [v1] = widgets.versions;
  assert.ok(v1 !== undefined);
  const registry = new KindRegistry([widgets]);
  assert.deepEqual(registry.find(widgets.group, v1.version, widgets.plural), { kind: widgets, version: v1 });
  const v2 = { ...v1, version: "v2" };
  registry.set({ ...widgets, versions: [v2] });
  assert.equal(registry.find(widgets.group, v1.version, widgets.plural), undefined);
  assert.equal(registry.find(widgets.group, "v2", widgets.plural)?.version, v2);
  registry.delete(widgets);
  assert.equal(registry.find(widgets.group, "v2", widgets.plural), undefined);
});
