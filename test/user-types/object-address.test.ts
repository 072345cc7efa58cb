import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController, use } from "@kaji/runtime";
import { testCluster } from "@kaji/testing";
import { ConfigMap, Secret } from "@kaji/types/core/v1";

test("[CL1] an object is an address of itself, whoever reads and writes it", async () => {
  await using cluster = await testCluster();
  const { client } = cluster;
  const created = await client.create(ConfigMap, { metadata: { name: "a", namespace: "default" }, data: { text: "one" } });
  const patched = await client.mergePatch(ConfigMap, created, { data: { text: "two" } });
  assert.deepEqual((await client.jsonPatch(ConfigMap, patched, [{ op: "add", path: "/data/more", value: "three" }])).data, {
    text: "two",
    more: "three",
  });
  assert.deepEqual((await client.strategicPatch(ConfigMap, created, { data: { more: null } })).data, { text: "two" });
  assert.deepEqual((await client.get(ConfigMap, created)).data, { text: "two" });
  await client.waitFor(ConfigMap, created, ({ data }) => data?.["text"] === "two");
  await client.delete(ConfigMap, created);
  await client.waitForDeletion(ConfigMap, created);
  // @ts-expect-error -- the server makes up the name of such a draft
  await assert.rejects(client.get(ConfigMap, { metadata: { generateName: "a-" } }), /an address needs a name/);
});

test("[CL1] a reconcile reads and writes objects by themselves", async () => {
  const controller = defineController(ConfigMap, {
    name: "acme-settings",
    uses: [use(Secret, "get", "patch")],
    selfVerbs: ["patch"],
    async reconcile(map, { cache, live, client }) {
      if (map.metadata.name !== "a" || cache.get(ConfigMap, map)?.data?.["done"] === "yes") return;
      const secret = await live.get(Secret, map);
      if (secret === undefined) return;
      await client.mergePatch(Secret, secret, { stringData: { text: "seen" } });
      await client.mergePatch(ConfigMap, map, { data: { done: "yes" } });
    },
  });
  await using cluster = await testCluster({ controllers: [controller] });
  const { client } = cluster;
  await client.create(Secret, { metadata: { name: "a", namespace: "default" } });
  const map = await client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  await cluster.settled();
  assert.deepEqual((await client.get(ConfigMap, map)).data, { done: "yes" });
  assert.deepEqual((await client.get(Secret, map)).data, { text: "c2Vlbg==" });
});
