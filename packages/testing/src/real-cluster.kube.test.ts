import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { realCluster } from "./real-cluster.ts";
import type { RealCluster } from "./real-cluster.ts";
import { testCluster } from "./test-cluster.ts";

const Note = defineResource({ group: "real.kaji.dev", version: "v1", kind: "Note", spec: z.object({ text: z.string() }) });
const metadata = { name: "n", namespace: "default" };
const writer = defineController(Note, {
  owns: [ConfigMap],
  async reconcile({ spec }, { apply }) {
    await apply(ConfigMap, { metadata: { ...metadata, name: "copy" }, data: { text: spec.text } });
  },
});

/** One test for both. */
async function copies(cluster: Pick<RealCluster, "client" | "settled" | "errors">): Promise<void> {
  await cluster.client.create(Note, { metadata, spec: { text: "one" } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/copy")).data?.["text"], "one");
  await cluster.client.mergePatch(Note, "default/n", { spec: { text: "two" } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/copy")).data?.["text"], "two");
  assert.deepEqual(cluster.errors, []);
}

test("the same test passes on the embedded cluster and on a real API server", async () => {
  await using embedded = await testCluster({ controllers: [writer] });
  await copies(embedded);
  await using kube = await startKube();
  await using real = await realCluster({ kubeconfig: kube.kubeconfig, controllers: [writer], patience: "5m" });
  await copies(real);
});
