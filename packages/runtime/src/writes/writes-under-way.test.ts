import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN33] when one of several writes fails, the next reconcile begins after the answers to the others", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile(_bar, { apply }) {
        await Promise.all(["refused", "slow"].map((name) => apply(Part, { metadata: { name }, spec: {} })));
      },
      async finalize(_bar, { cache, client }) {
        for (const part of cache.owned(Part)) await client.delete(Part, part);
      },
    }),
  );
  await world.settle();
  world.breakWatches();
  world.intercept = ({ method, path }) => {
    if (path.includes("watch=true") && path.includes("/parts")) throw new Error("the connection was reset");
    if (method === "PATCH" && path.includes("/parts/refused")) throw new Error("the request was lost");
  };
  world.executed = async ({ method, path }) => {
    if (method !== "PATCH" || !path.includes("/parts/slow")) return;
    await world.client.delete(Bar, "default/a");
    await world.clock.sleep(500);
  };
  await world.client.create(Bar, barDraft("a"));
  await world.pass(2000);
  assert.equal(await world.find(Bar, "default/a"), undefined);
  assert.equal(await world.find(Part, "default/slow"), undefined);
});
