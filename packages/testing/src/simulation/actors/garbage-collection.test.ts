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
