import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { defineResource, z } from "@kaji/core/define";
import { anyKind, defineController, use } from "@kaji/runtime";
import { realCluster } from "@kaji/testing";
import { Deployment } from "@kaji/types/apps/v1";

const Database = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Database",
  spec: z.object({ size: z.int32().min(0) }),
  status: z.object({ size: z.int32().min(0).optional() }),
  scale: { specReplicasPath: "spec.size", statusReplicasPath: "status.size" },
});

const Pause = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Pause",
  spec: z.object({ of: z.object({ apiVersion: z.string(), kind: z.string(), name: z.string() }) }),
  status: z.object({ before: z.int32().optional() }),
});

const pauseController = defineController(Pause, {
  uses: [use(anyKind, "get/scale", "patch/scale")],
  async reconcile({ metadata: { namespace }, spec: { of } }, { client, live, setStatus }) {
    const Kind = await live.resourceOf(of);
    const address = { namespace, name: of.name };
    const scale = Kind && (await live.getScale(Kind, address));
    if (Kind === undefined || scale === undefined || (scale.spec?.replicas ?? 0) === 0) return;
    await setStatus({ before: scale.spec?.replicas });
    await client.scale(Kind, address, 0, { resourceVersion: scale.metadata.resourceVersion });
  },
});

test("[DEF9] objects of any kind are scaled on a real API server, too, and a scale that is too old is a Conflict", async () => {
  await using kube = await startKube();
  const options = { kubeconfig: kube.kubeconfig, controllers: [pauseController], resources: [Database], patience: "5m" } as const;
  await using cluster = await realCluster(options);
  const { client } = cluster;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  await client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  });
  await client.create(Database, { metadata: { name: "orders", namespace: "default" }, spec: { size: 2 } });
  const { resourceVersion } = (await client.getScale(Deployment, "default/web")).metadata;
  for (const [name, apiVersion, kind] of [
    ["web", "apps/v1", "Deployment"],
    ["orders", "testing.kaji.dev/v1", "Database"],
    ["kube-root-ca.crt", "v1", "ConfigMap"],
  ] as const)
    await client.create(Pause, { metadata: { name, namespace: "default" }, spec: { of: { apiVersion, kind, name } } });
  await cluster.settled();
  assert.equal((await client.get(Deployment, "default/web")).spec?.replicas, 0);
  assert.equal((await client.get(Database, "default/orders")).spec.size, 0);
  const { items } = await client.list(Pause, { namespace: "default" });
  assert.deepEqual(
    items.map(({ metadata, status }) => [metadata.name, status?.before]),
    [
      ["kube-root-ca.crt", undefined],
      ["orders", 2],
      ["web", 3],
    ],
  );
  await assert.rejects(client.scale(Deployment, "default/web", 5, { resourceVersion }), { reason: "Conflict" });
});
