import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { simulate } from "../../simulate.ts";

const Note = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Note", spec: z.object({}) });
const at = (name: string) => ({ name, namespace: "default" });
const idle = defineController(Note, { reconcile: () => {} });

test("what an owner leaves behind that is deleted without its dependents stays, and belongs to nobody", async () => {
  await using simulated = await simulate({ controllers: [idle] });
  const { world, client } = simulated;
  const note = await client.create(Note, { metadata: at("n"), spec: {} });
  await client.create(ConfigMap, setControllerReference(note, { metadata: at("child") }));
  await client.delete(Note, "default/n", { propagationPolicy: "Orphan" });
  await simulated.settled();
  assert.equal(world.get(Note, "default/n"), undefined);
  assert.deepEqual(world.get(ConfigMap, "default/child")?.metadata.ownerReferences ?? [], []);
  assert.notEqual(world.get(ConfigMap, "default/child"), undefined);
});

test("an owner that is gone is struck off where another is left, and takes with it what has no other", async () => {
  await using simulated = await simulate({ controllers: [idle] });
  const { world, client } = simulated;
  const [first, second] = [
    await client.create(Note, { metadata: at("a"), spec: {} }),
    await client.create(Note, { metadata: at("b"), spec: {} }),
  ];
  const ownerReferences = [first, second].map(({ apiVersion, kind, metadata: { name, uid = "" } }) => ({ apiVersion, kind, name, uid }));
  await client.create(ConfigMap, { metadata: { ...at("shared"), ownerReferences } });
  await client.delete(Note, "default/a", { propagationPolicy: "Background" });
  await simulated.settled();
  assert.deepEqual(world.get(ConfigMap, "default/shared")?.metadata.ownerReferences, ownerReferences.slice(1));
  await client.delete(Note, "default/b", { propagationPolicy: "Background" });
  await simulated.settled();
  assert.equal(world.get(ConfigMap, "default/shared"), undefined);
});

test("what waits for its dependents has them wait for theirs, and a circle of owners goes all the same", async () => {
  await using simulated = await simulate({ controllers: [idle] });
  const { world, client } = simulated;
  const note = await client.create(Note, { metadata: at("n"), spec: {} });
  const child = await client.create(
    ConfigMap,
    setControllerReference(note, { metadata: { ...at("child"), finalizers: ["testing.kaji.dev/kept"] } }),
  );
  await client.create(ConfigMap, setControllerReference(child, { metadata: at("grandchild") }));
  await client.delete(Note, "default/n", { propagationPolicy: "Foreground" });
  await simulated.settled();
  assert.ok(world.get(ConfigMap, "default/child")?.metadata.deletionTimestamp !== undefined);
  assert.deepEqual(world.get(ConfigMap, "default/child")?.metadata.finalizers, ["testing.kaji.dev/kept"]);
  assert.equal(world.get(ConfigMap, "default/grandchild"), undefined);
  assert.notEqual(world.get(Note, "default/n"), undefined);

  const [left, right] = [
    await client.create(ConfigMap, { metadata: at("left") }),
    await client.create(ConfigMap, { metadata: at("right") }),
  ];
  await client.update(ConfigMap, setControllerReference(left, right));
  await client.update(ConfigMap, setControllerReference(right, left));
  await client.delete(ConfigMap, "default/left", { propagationPolicy: "Foreground" });
  await simulated.settled();
  assert.deepEqual([world.get(ConfigMap, "default/left"), world.get(ConfigMap, "default/right")], [undefined, undefined]);
});

test("what is to be deleted by a policy of its own is, when its owner is gone", async () => {
  await using simulated = await simulate({ controllers: [idle] });
  const { world, client } = simulated;
  const note = await client.create(Note, { metadata: at("n"), spec: {} });
  const child = await client.create(ConfigMap, setControllerReference(note, { metadata: { ...at("child"), finalizers: ["orphan"] } }));
  await client.create(ConfigMap, setControllerReference(child, { metadata: at("grandchild") }));
  await client.delete(Note, "default/n", { propagationPolicy: "Background" });
  await simulated.settled();
  assert.equal(world.get(ConfigMap, "default/child"), undefined);
  assert.deepEqual(world.get(ConfigMap, "default/grandchild")?.metadata.ownerReferences ?? [], []);
  assert.notEqual(world.get(ConfigMap, "default/grandchild"), undefined);
});
