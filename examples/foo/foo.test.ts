import assert from "node:assert/strict";
import { test } from "node:test";
import { testCluster } from "@kaji/testing";
import { KubeClient, systemRandom } from "kaji";
import { Deployment } from "kaji/apps/v1";
import { FooController } from "./foo-controller.ts";
import { Foo } from "./foo.ts";

test("the controller made by hand does what the short one does", async () => {
  await using cluster = await testCluster({ resources: [Foo] });
  const { clock } = cluster;
  const end = new AbortController();
  const controller = new FooController({
    client: new KubeClient(cluster.transport(), { clock, fieldManager: "foo" }),
    clock,
    random: systemRandom,
  });
  const running = controller.run(end.signal);

  await cluster.client.create(Foo, {
    metadata: { name: "example", namespace: "default" },
    spec: { deploymentName: "before", replicas: 2 },
  });
  await cluster.settled();
  assert.equal((await cluster.client.get(Foo, "default/example")).status?.availableReplicas, 2);

  await cluster.client.mergePatch(Foo, "default/example", { spec: { deploymentName: "after", replicas: 3 } });
  await cluster.settled();
  const { items } = await cluster.client.list(Deployment, { namespace: "default" });
  assert.deepEqual(
    items.map(({ metadata, spec }) => [metadata.name, spec?.replicas]),
    [["after", 3]],
  );

  await cluster.client.delete(Foo, "default/example");
  await cluster.settled();
  assert.deepEqual((await cluster.client.list(Deployment, { namespace: "default" })).items, []);
  end.abort();
  await running;
});
