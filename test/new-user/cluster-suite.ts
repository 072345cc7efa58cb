/** A test and an exploration on the published packages, for whatever has a function `test`. */
export const clusterSuite = `
import assert from "node:assert/strict";
import { setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { explore, testCluster } from "@kaji/testing";
import { ConfigMap, Secret } from "@kaji/types/core/v1";

const metadata = { name: "web", namespace: "default" };
const controller = defineController(ConfigMap, {
  owns: [owned(Secret, { applied: false })],
  async reconcile(config, { cache, client }) {
    if (config.metadata.name !== "web" || cache.get(Secret, "default/first") !== undefined) return;
    for (const name of ["first", "second"])
      await client.create(Secret, setControllerReference(config, { metadata: { ...metadata, name } }));
  },
});

test("a test has a cluster of its own", async () => {
  await using cluster = await testCluster({ controllers: [controller] });
  await cluster.client.create(ConfigMap, { metadata });
  await cluster.settled();
  const { ownerReferences } = (await cluster.client.get(Secret, "default/second")).metadata;
  assert.equal(ownerReferences[0].name, "web");
  await assert.rejects(cluster.client.get(Secret, "default/third"), { name: "ApiError", code: 404 });
});

test("an exploration finds what is wrong", async () => {
  const ops = (user) => [
    user.create(ConfigMap, { metadata, data: { size: "1" } }),
    user.mergePatch(ConfigMap, "default/web", { data: { size: "2" } }),
  ];
  await assert.rejects(explore({ controllers: [controller], ops, findings: 1 }).expectNoViolations(), (error) => {
    assert.equal(error.name, "CorrectnessError");
    assert.match(error.message, /END STATE .*Secret default\\/second is missing/);
    return true;
  });
});
`;
