import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, requeue, requeueAfter } from "@kaji/runtime";
import { testCluster } from "./test-cluster.ts";

const Lamp = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ waits: z.enum(["Briefly", "Long"]).default("Briefly") }),
  status: z.object({ phase: z.enum(["Warm", "Lit"]).optional() }),
});

/** Goes on when it is called again. */
const controller = defineController(Lamp, {
  name: "lamp",
  async reconcile({ spec, status }, { setStatus }) {
    if (spec.waits === "Long") return requeueAfter("1h");
    if (status?.phase === "Lit") return;
    await setStatus({ phase: status?.phase === "Warm" ? "Lit" : "Warm" });
    return requeue();
  },
});

/** The warnings of a test with two lamps of this sort. */
async function warningsOf(
  { mock }: TestContext,
  waits: "Briefly" | "Long",
  go: (cluster: Awaited<ReturnType<typeof testCluster>>) => Promise<unknown>,
): Promise<readonly string[]> {
  const emit = mock.method(process, "emitWarning", () => {});
  {
    await using cluster = await testCluster({ controllers: [controller] });
    for (const name of ["desk", "floor"]) await cluster.client.create(Lamp, { metadata: { name, namespace: "default" }, spec: { waits } });
    await cluster.settled();
    await go(cluster);
  }
  emit.mock.restore();
  return emit.mock.calls.map(({ arguments: [warning] }) => String(warning));
}

test("[RQU1] a test that ends before what requeue() asked for has come is told that it takes time", async (t) => {
  const warnings = await warningsOf(t, "Briefly", async ({ client }) => {
    assert.equal((await client.get(Lamp, "default/desk")).status?.phase, "Warm");
  });
  const why = 'settled() does not wait for that, since time stands still in a test; advance("1s") lets it come';
  assert.deepEqual(warnings, [`the test has ended before lamp default/desk, lamp default/floor came again, as requeue() asks for: ${why}`]);
});

test("[RQU1] nothing is told once time has gone by, of what is gone, and of what is to come at a time", async (t) => {
  const advanced = await warningsOf(t, "Briefly", async (cluster) => {
    await cluster.advance("1s");
    assert.equal((await cluster.client.get(Lamp, "default/desk")).status?.phase, "Lit");
  });
  const gone = await warningsOf(t, "Briefly", async (cluster) => {
    for (const name of ["desk", "floor"]) await cluster.client.delete(Lamp, `default/${name}`);
    await cluster.settled();
  });
  assert.deepEqual([advanced, gone, await warningsOf(t, "Long", async () => {})], [[], [], []]);
});
