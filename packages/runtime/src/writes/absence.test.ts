import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "@kaji/core";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barController, barDraft, barWorld, sizedPartController } from "../testing/bar.ts";
import type { SeenRequest, TestWorld } from "../testing/test-world.ts";

/** For one request of this form the server does not serve the kind, as while it starts. */
function unservedOnce(world: TestWorld, isMeant: (request: SeenRequest) => boolean): void {
  let isServed = false;
  world.intercept = (request) => {
    if (isServed || !isMeant(request)) return;
    isServed = true;
    throw refusal("NotFound", "the server could not find the requested resource");
  };
}

test("[RUN25] a child whose kind is not served when it is to be deleted is deleted later", async () => {
  await using world = await barWorld();
  world.start(sizedPartController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  unservedOnce(world, ({ method }) => method === "DELETE");
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(1000);
  assert.equal(await world.find(Part, "default/p1"), undefined);
});

test("[RUN25] an object whose kind is not served when it is asked for is looked after as before", async () => {
  await using world = await barWorld();
  world.start(barController);
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  unservedOnce(world, ({ method, path }) => method === "GET" && path.endsWith("/bars/a"));
  await world.client.delete(Part, "default/a-part");
  await world.pass(1000);
  assert.notEqual(await world.find(Part, "default/a-part"), undefined);
});

test("[RUN25] an object whose kind is not served when its finalizer is to be removed is finalized again", async () => {
  await using world = await barWorld();
  world.start(defineController(Bar, { reconcile: () => undefined, finalize: () => undefined }));
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  unservedOnce(world, ({ method }) => method === "PATCH");
  await world.client.delete(Bar, "default/a");
  await world.pass(1000);
  assert.equal(await world.find(Bar, "default/a"), undefined);
});
