import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startControlPlane } from "@kaji/cluster";
import { resource } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch, webhook } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./exploration/explore.ts";
import { realCluster } from "./real-cluster.ts";
import { simulate } from "./simulate.ts";
import type { UserVerbs } from "./simulation/operation.ts";
import { testCluster } from "./test-cluster.ts";

/** A kind of others, as its typed definition reads it: the definition is the test's to bring. */
const poolDefinition = defineResource({ group: "storage.example.com", version: "v1", kind: "Pool", plural: "pools", spec: z.object({}) });
const Pool = resource<KubeObject>({ group: "storage.example.com", version: "v1", kind: "Pool", plural: "pools", scope: "Namespaced" });

const told =
  /the operator watches the kind Pool \(pools\.storage\.example\.com\), which the cluster of the test does not serve in .*\/v1; bring its definition/;

test("[SRV5] a test is told which definition it has to bring, instead of waiting for ever", async () => {
  const controller = defineController(ConfigMap, { watches: [Pool], async reconcile() {} });
  await assert.rejects(testCluster({ controllers: [controller] }), told);
  await using _cluster = await testCluster({ controllers: [controller], resources: [poolDefinition] });
});

test("[SRV5] so it is for what a webhook watches, and not for what may be missing", async () => {
  const judged = webhook(ConfigMap, { watches: [Pool], validate: () => undefined });
  await assert.rejects(testCluster({ webhooks: [judged] }), told);
  const controller = defineController(ConfigMap, { watches: [watch(Pool, { optional: true })], async reconcile() {} });
  await using _cluster = await testCluster({ controllers: [controller] });
});

test("[SRV5] explorations and simulations say so as well, and explore with the definition", async () => {
  const controllers = [defineController(ConfigMap, { watches: [Pool], async reconcile() {} })];
  const ops = (user: UserVerbs) => [user.create(ConfigMap, { metadata: { name: "a", namespace: "default" } })];
  await assert.rejects(explore({ controllers, ops }), told);
  await assert.rejects(simulate({ controllers }), told);
  await explore({ controllers, ops, resources: [poolDefinition], runs: 5 }).expectNoViolations();
});

test("[SRV5] on a real server the definition may come as long as the patience lasts", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  await using plane = await startControlPlane({ folder: folder.path, storage: "memory", controllers: [], scheduler: false, nodes: 0 });
  const { kubeconfig } = plane;
  const controllers = [defineController(ConfigMap, { watches: [Pool], async reconcile() {} })];
  await assert.rejects(realCluster({ kubeconfig, controllers, patience: "1s" }), told);
  await using _cluster = await realCluster({ kubeconfig, controllers, resources: [poolDefinition] });
});
