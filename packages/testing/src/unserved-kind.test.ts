import assert from "node:assert/strict";
import { test } from "node:test";
import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch, webhook } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

/** A kind of others, as its typed definition reads it: the definition is the test's to bring. */
const poolDefinition = defineResource({ group: "storage.example.com", version: "v1", kind: "Pool", plural: "pools", spec: z.object({}) });
const Pool = resource<KubeObject>({ group: "storage.example.com", version: "v1", kind: "Pool", plural: "pools", scope: "Namespaced" });

const told =
  /the operator watches the kind Pool \(pools\.storage\.example\.com\), which the cluster of the test does not serve in .*\/v1; bring its definition/;

test("a test is told which definition it has to bring, instead of waiting for ever", async () => {
  const controller = defineController(ConfigMap, { watches: [Pool], async reconcile() {} });
  await assert.rejects(testCluster({ controllers: [controller] }), told);
  await using _cluster = await testCluster({ controllers: [controller], resources: [poolDefinition] });
});

test("so it is for what a webhook watches, and not for what may be missing", async () => {
  const judged = webhook(ConfigMap, { watches: [Pool], validate: () => undefined });
  await assert.rejects(testCluster({ webhooks: [judged] }), told);
  const controller = defineController(ConfigMap, { watches: [watch(Pool, { optional: true })], async reconcile() {} });
  await using _cluster = await testCluster({ controllers: [controller] });
});
