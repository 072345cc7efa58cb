import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { anyKind, defineController, permissionsOf, use } from "@kaji/runtime";
import { testCluster } from "@kaji/testing";
import { Deployment } from "@kaji/types/apps/v1";

const Database = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Database",
  spec: z.object({ size: z.int32().min(0) }),
  status: z.object({ size: z.int32().min(0).optional() }),
  scale: { specReplicasPath: "spec.size", statusReplicasPath: "status.size" },
});

const Size = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Size",
  spec: z.object({ of: z.object({ apiVersion: z.string(), kind: z.string(), name: z.string() }), wanted: z.int32() }),
  status: z.object({ was: z.int32().optional(), problem: z.string().optional() }),
});

/** Gives whatever a Size names so many replicas. Somebody may write that in between. */
const sizes = (inBetween: () => Promise<unknown>) =>
  defineController(Size, {
    uses: [use(anyKind, "get/scale", "patch/scale")],
    async reconcile({ metadata: { namespace }, spec: { of, wanted } }, { client, live, setStatus }) {
      const Kind = await live.resourceOf(of);
      if (Kind === undefined) return setStatus({ problem: `there is no kind ${of.kind}` });
      const address = { namespace, name: of.name };
      const scale = await live.getScale(Kind, address);
      if (scale === undefined) return setStatus({ problem: `${of.kind} ${of.name} cannot be scaled` });
      if (scale.spec?.replicas === wanted) return;
      await setStatus({ was: scale.spec?.replicas, problem: undefined });
      await inBetween();
      const { resourceVersion } = scale.metadata;
      const written = await client.scale(Kind, address, wanted, { resourceVersion });
      assert.equal(written.spec?.replicas, wanted);
    },
  });

const web = {
  metadata: { name: "web", namespace: "default" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
};
const size = (name: string, apiVersion: string, kind: string, wanted = 3) => ({
  metadata: { name, namespace: "default" },
  spec: { of: { apiVersion, kind, name }, wanted },
});

test("[DEF9] a controller scales objects of kinds that are known only at run time, with no more rights than that", async () => {
  const controllers = [sizes(async () => {})];
  await using cluster = await testCluster({ controllers, resources: [Database] });
  const { client } = cluster;
  await client.create(Deployment, web);
  await client.create(Database, { metadata: { name: "orders", namespace: "default" }, spec: { size: 2 } });
  await client.create(Size, size("web", "apps/v1", "Deployment"));
  await client.create(Size, size("orders", "shop.example.com/v1", "Database", 5));
  await client.create(Size, size("gone", "apps/v1", "Deployment"));
  await client.create(Size, size("kube-root-ca.crt", "v1", "ConfigMap"));
  await cluster.settled();
  assert.equal((await client.get(Deployment, "default/web")).status?.readyReplicas, 3);
  assert.equal((await client.get(Database, "default/orders")).spec.size, 5);
  const statuses = await Promise.all(
    ["web", "orders", "gone", "kube-root-ca.crt"].map(async (name) => (await client.get(Size, `default/${name}`)).status),
  );
  assert.deepEqual(statuses, [
    { was: 1 },
    { was: 2 },
    { problem: "Deployment gone cannot be scaled" },
    { problem: "ConfigMap kube-root-ca.crt cannot be scaled" },
  ]);
  assert.deepEqual([cluster.errors, cluster.unusedGrants()], [[], []]);
  const granted = permissionsOf(controllers).find(({ resource }) => resource.endsWith("/scale"));
  assert.deepEqual([granted?.apiGroup, granted?.resource, granted?.verbs], ["*", "*/scale", ["get", "patch"]]);
});

test("[DEF9] what somebody has written since the scale was read is a Conflict, and the next reconcile sees it", async () => {
  let isFirst = true;
  const controller = sizes(async () => {
    if (isFirst) await cluster.client.scale(Deployment, "default/web", 7);
    isFirst = false;
  });
  await using cluster = await testCluster({ controllers: [controller] });
  const { client } = cluster;
  await client.create(Deployment, web);
  await client.create(Size, size("web", "apps/v1", "Deployment"));
  await cluster.settled();
  assert.deepEqual((await client.get(Size, "default/web")).status, { was: 7 });
  assert.equal((await client.getScale(Deployment, "default/web")).spec?.replicas, 3);
  assert.deepEqual(cluster.errors, []);
  const { resourceVersion } = (await client.getScale(Deployment, "default/web")).metadata;
  await client.scale(Deployment, "default/web", 4, { resourceVersion });
  await assert.rejects(client.scale(Deployment, "default/web", 5, { resourceVersion }), (error) => isReason(error, "Conflict"));
});
