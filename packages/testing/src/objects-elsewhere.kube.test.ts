import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { ClusterRole } from "@kaji/types/rbac/v1";
import { realCluster } from "./real-cluster.ts";

const Team = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Team",
  spec: z.object({ pages: z.array(z.string()) }),
});
const key = "default/blue";

const teamController = defineController(Team, {
  owns: [ConfigMap, ClusterRole],
  async reconcile({ metadata: { name }, spec: { pages } }, { apply }) {
    await apply(ClusterRole, { metadata: { name: `team-${name}` }, rules: [] });
    for (const page of pages) await apply(ConfigMap, { metadata: { name: page, namespace: "kube-public" }, data: { team: name } });
  },
  finalize() {},
});

test("[ELS1] [ELS2] [ELS3] [ELS4] what an object has elsewhere is put right, pruned and deleted on a real API server, too", async () => {
  await using kube = await startKube();
  await using cluster = await realCluster({ kubeconfig: kube.kubeconfig, controllers: [teamController], patience: "5m" });
  const { client } = cluster;
  const present = async () => {
    await cluster.settled();
    const of = { labelSelector: "testing.kaji.dev/team-owner=default.blue" };
    const [pages, roles] = await Promise.all([client.list(ConfigMap, of), client.list(ClusterRole, of)]);
    return [
      ...pages.items.map(({ metadata, data }) => `${metadata.name} of ${data?.["team"]}`),
      ...roles.items.map((role) => role.metadata.name),
    ];
  };
  await client.create(Team, { metadata: { name: "blue", namespace: "default" }, spec: { pages: ["aims", "rota"] } });
  assert.deepEqual(await present(), ["aims of blue", "rota of blue", "team-blue"]);
  await client.mergePatch(ConfigMap, "kube-public/rota", { data: { team: "red" } });
  assert.deepEqual(await present(), ["aims of blue", "rota of blue", "team-blue"]);
  await client.mergePatch(Team, key, { spec: { pages: ["rota"] } });
  assert.deepEqual(await present(), ["rota of blue", "team-blue"]);
  await client.delete(Team, key);
  assert.deepEqual(await present(), []);
  await assert.rejects(client.get(Team, key), { reason: "NotFound" });
});
