import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import { systemClock, systemRandom } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, use, webhook } from "@kaji/runtime";
import type { OperatorRunnable } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { realCluster } from "./real-cluster.ts";

const Lamp = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Lamp", spec: z.object({}) });
const lamps = defineController(Lamp, { uses: [use(ConfigMap, "create")], reconcile() {} });
const metadata = { namespace: "default", name: "lit" };

test("[RNB3] runnables work on a server of its own time, too, with the role of the operator and until the end; what one throws fails the test", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  await using plane = await startControlPlane({ folder: folder.path, storage: "memory", controllers: [], scheduler: false, nodes: 0 });
  await using admin = await createClient({ kubeconfig: plane.kubeconfig, clock: systemClock, random: systemRandom });
  const told: string[] = [];
  const { promise: ready, resolve: begun } = Promise.withResolvers<void>();
  const lighting: OperatorRunnable = {
    name: "lighting",
    ready,
    async run(signal, { client, controllers }) {
      await client.create(ConfigMap, { metadata });
      await assert.rejects(client.delete(ConfigMap, metadata), { reason: "Forbidden" });
      told.push([...controllers.keys()].join());
      begun();
      await once(signal, "abort");
      told.push("ended");
    },
  };
  const broken: OperatorRunnable = { name: "broken", needsLeader: true, run: () => Promise.reject(new Error("no idea")) };
  {
    const runnables = [lighting, broken];
    await using cluster = await realCluster({ kubeconfig: plane.kubeconfig, controllers: [lamps], runnables, quiet: "10ms" });
    await assert.rejects(cluster.settled(), { message: "the runnable broken failed" });
    await cluster.settled();
    assert.deepEqual(told, ["lamp"]);
  }
  assert.deepEqual(told, ["lamp", "ended"]);
  await admin.get(ConfigMap, metadata);
});

test("webhooks are not installed on a server that could not call them", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  const kubeconfig = join(folder.path, "config");
  const server = "https://cluster.example.com:6443";
  const config = {
    clusters: [{ name: "far", cluster: { server } }],
    contexts: [{ name: "far", context: { cluster: "far", user: "me" } }],
    users: [{ name: "me", user: {} }],
    "current-context": "far",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  await assert.rejects(realCluster({ kubeconfig, webhooks: [webhook(ConfigMap, { validate: () => {} })] }), {
    name: "TypeError",
    message: `realCluster(): the server ${server} is not on this machine, so that webhookHost has to say where it reaches webhooks that run here; or leave out webhooks, conversions and APIs`,
  });
});

test("what webhooks warn of is there to be looked at, as with testCluster", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "kaji-"));
  await using plane = await startControlPlane({ folder: folder.path, storage: "memory", controllers: [], scheduler: false, nodes: 0 });
  const dry = webhook(ConfigMap, { validate: ({ data }, { warn }) => (data === undefined ? warn("data: is not there") : undefined) });
  await using cluster = await realCluster({ kubeconfig: plane.kubeconfig, webhooks: [dry], quiet: "10ms" });
  await cluster.client.create(ConfigMap, { metadata });
  assert.deepEqual(cluster.warnings, ["data: is not there"]);
});
