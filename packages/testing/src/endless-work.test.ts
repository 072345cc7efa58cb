import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, requeueAfter } from "@kaji/runtime";
import { testCluster } from "./test-cluster.ts";

const Counter = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Counter",
  spec: z.object({ reached: z.int().default(0), upTo: z.int().optional() }),
});
const counter = { metadata: { name: "a", namespace: "default" }, spec: {} };
const bare = { builtins: [], nodes: 0, scheduler: false };

/** Counts in the spec, which is the wish of users. */
const counting = defineController(Counter, {
  selfVerbs: ["patch"],
  async reconcile({ metadata, spec: { reached, upTo = Infinity } }, { client }) {
    if (reached < upTo) await client.mergePatch(Counter, metadata, { spec: { reached: reached + 1 } });
  },
});

test("[HNG2] an operator that changes the spec of its own object each time is ended, and the test told the field", async () => {
  const cluster = await testCluster({ ...bare, controllers: [counting] });
  await cluster.client.create(Counter, counter);
  const told =
    /^Error: controller counter has reconciled default\/a 500 times at the same moment, and was ended since it does not come to rest: .*Counter.* default\/a was written 10 times within a minute .*; its spec\.reached keeps changing$/;
  await assert.rejects(cluster.settled(), told);
  await cluster[Symbol.asyncDispose]();
});

test("[HNG2] one that comes to rest, or goes on as time goes by, is not", async () => {
  const looking = defineController(Counter, { reconcile: () => requeueAfter("1m") });
  for (const controllers of [[counting], [looking]]) {
    await using cluster = await testCluster({ ...bare, controllers });
    await cluster.client.create(Counter, { ...counter, spec: { upTo: 20 } });
    await cluster.advance("12h");
  }
});
