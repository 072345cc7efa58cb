import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController, requeueAfter } from "@kaji/runtime";
import type { Controller, RequeueOptions, Result } from "@kaji/runtime";
import { explore, testCluster } from "@kaji/testing";
import type { Mask } from "@kaji/testing";
import { ConfigMap } from "@kaji/types/core/v1";

/** What several controllers share, with the types of what they pass. */
const politely: RequeueOptions = { notBefore: true, jitter: 0.1 };
const later = (seconds: number, options: RequeueOptions = politely): Result => requeueAfter(seconds * 1000, options);
const masks: readonly Mask[] = [{ resource: ConfigMap, path: "data.seen" }];

function recorder(times: number[]): Controller {
  return defineController(ConfigMap, {
    labelSelector: "app=shop",
    async reconcile(_map, { clock }) {
      times.push(clock.now());
      return later(10);
    },
  });
}

const draft = { metadata: { name: "a", namespace: "default", labels: { app: "shop" } } };

test("options that several reconciles share have a type with a name", async () => {
  const times: number[] = [];
  await using cluster = await testCluster({ controllers: [recorder(times)] });
  await cluster.client.create(ConfigMap, draft);
  await cluster.advance("30s");
  assert.ok(times.length >= 3);
});

test("so have the masks that several explorations share", async () => {
  await explore({
    controllers: () => [recorder([])],
    mask: masks,
    ops: (user) => [user.create(ConfigMap, draft)],
    runs: 2,
  }).expectNoViolations();
});
