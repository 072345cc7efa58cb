import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { testCluster } from "./test-cluster.ts";

test("of a test that fails on an operator that fails too, both failures are shown", async () => {
  const Lamp = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Lamp", spec: z.object({}) });
  const controller = defineController(Lamp, {
    reconcile() {
      throw new Error("no light");
    },
  });
  const story = async (): Promise<void> => {
    await using cluster = await testCluster({ controllers: [controller] });
    await cluster.client.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: {} });
    await cluster.settled();
    assert.fail("it is dark");
  };
  await assert.rejects(story, (error) => {
    // A runner that has the test in a process of its own is sent what the prototype has, too.
    assert.ok(error instanceof SuppressedError);
    const shown = inspect(error.cause);
    assert.match(shown, /it is dark/);
    assert.match(shown, /lamp default\/desk: no light/);
    return true;
  });
});
