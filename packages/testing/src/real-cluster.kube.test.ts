import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { FieldPath, forbiddenField, resource } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { convert, defineController, webhook } from "@kaji/runtime";
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

const Memo = defineResource({
  group: "real.kaji.dev",
  version: "v2",
  kind: "Memo",
  spec: z.object({ text: z.string(), color: z.string().optional() }),
  versions: { v1: { spec: z.object({ words: z.string(), color: z.string().optional() }) } },
});
const OldMemo = resource<DynamicObject>({ group: "real.kaji.dev", version: "v1", kind: "Memo", plural: "memos", scope: "Namespaced" });
const operator = {
  webhooks: [
    webhook(Memo, {
      watches: [ConfigMap],
      default: ({ spec, ...memo }) => ({ ...memo, spec: { color: "blue", ...spec } }),
      validate: ({ spec }, { cache }) =>
        cache.get(ConfigMap, "default/forbidden")?.data?.["word"] === spec.text
          ? forbiddenField(FieldPath.of("spec", "text"), "somebody has forbidden it")
          : [],
    }),
  ],
  conversions: [convert(Memo, { v1: ({ move, same }) => [move("spec.words", "spec.text"), same("spec.color")] })],
};

/** Webhooks and conversions are called in both, and these read what is there. */
async function judges({ client, settled }: Pick<RealCluster, "client" | "settled">): Promise<void> {
  await client.create(ConfigMap, { metadata: { name: "forbidden", namespace: "default" }, data: { word: "no" } });
  await settled();
  await client.create(Memo, { metadata, spec: { text: "yes" } });
  assert.deepEqual((await client.get(OldMemo, "default/n"))["spec"], { words: "yes", color: "blue" });
  const refused = client.create(Memo, { metadata: { ...metadata, name: "m" }, spec: { text: "no" } });
  await assert.rejects(refused, /somebody has forbidden it/);
}

test("webhooks and conversions are called by a real API server too, and no more when the operator is gone", async () => {
  await using embedded = await testCluster(operator);
  await judges(embedded);
  await using kube = await startKube();
  {
    await using real = await realCluster({ kubeconfig: kube.kubeconfig, ...operator, patience: "5m" });
    await judges(real);
  }
  await using later = await realCluster({ kubeconfig: kube.kubeconfig, resources: [Memo] });
  await later.client.create(Memo, { metadata: { ...metadata, name: "m" }, spec: { text: "no" } });
  assert.equal((await later.client.get(Memo, "default/m")).spec.color, undefined);
});
