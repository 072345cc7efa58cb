import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { setControllerReference } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { owned } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { Bar, Part, barController, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN21] a child that a reconcile deletes requeues its owner when it is gone, so that it can be created again", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  world.start(replacing(seen));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(seen.splice(0), ["made 1"]);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual(seen.splice(0), ["deleted 1", "made 2"]);
  await world.pass(3_600_000);
  assert.deepEqual(seen, []);
});

test("[RUN21] a deleted child that has finalizers asks for its owner when the last of them has gone", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  world.start(replacing(seen));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Part, "default/a-part", { metadata: { finalizers: ["example.com/hold"] } });
  await world.settle();
  seen.splice(0);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(60_000);
  assert.deepEqual(seen.splice(0), ["deleted 1"]);
  await world.client.mergePatch(Part, "default/a-part", { metadata: { finalizers: null } });
  await world.settle();
  assert.deepEqual(seen, ["made 2"]);
});

test("[RUN21] a deletion whose answer is lost is no different", async () => {
  await using world = await barWorld();
  const seen: string[] = [];
  world.start(replacing(seen));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  world.intercept = ({ method }) => (method === "DELETE" ? "LoseAnswer" : undefined);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(60_000);
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 2);
});

test("[RUN9] a child that another client deletes before the answer to its creation has come is made again", async () => {
  await using world = await barWorld();
  let made = 0;
  const overtaken: Transport = async (request) => {
    const answer = await world.transport(request);
    if (request.method !== "PATCH" || !request.path.includes("/parts/") || made++ > 0) return answer;
    await world.client.delete(Part, "default/a-part");
    // The watch shows both before the writer has its answer.
    await world.clock.advance(0);
    return answer;
  };
  world.start(barController, { client: new KubeClient(overtaken, { clock: world.clock, random: seededRandom(4) }) });
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.equal(made, 2);
  assert.ok(await world.find(Part, "default/a-part"));
});

test("[RUN21] a deletion that only asks what the server would say hides nothing", async () => {
  await using world = await barWorld();
  const seen: (string | undefined)[] = [];
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile(bar, { cache, client }) {
        const part = await client.create(Part, { metadata: { name: bar.spec.partName, namespace: "default" }, spec: { size: 1 } });
        await client.delete(Part, part, { dryRun: true });
        seen.push(cache.get(Part, `default/${bar.spec.partName}`)?.metadata.name);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.deepEqual(seen, ["a-part"]);
});

/** Replaces a Part of another size by deleting it, and makes it when it is gone: one step for each reconcile. */
function replacing(seen: string[]): Controller {
  return defineController(Bar, {
    owns: [owned(Part, { applied: false })],
    async reconcile(bar, { cache, client }) {
      const part = cache.get(Part, `default/${bar.spec.partName}`);
      if (part === undefined) {
        const metadata = { name: bar.spec.partName, namespace: "default" };
        await client.create(Part, setControllerReference(bar, { metadata, spec: { size: bar.spec.size } }));
        seen.push(`made ${bar.spec.size}`);
      } else if (part.spec.size !== bar.spec.size && part.metadata.deletionTimestamp === undefined) {
        await client.delete(Part, part);
        seen.push(`deleted ${part.spec.size}`);
      }
    },
  });
}
