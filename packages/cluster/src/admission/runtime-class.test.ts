import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { PodSpec } from "@kaji/types/core/v1";
import { RuntimeClass } from "@kaji/types/node/v1";
import { startCluster } from "../start-cluster.ts";
import type { Cluster } from "../cluster.ts";

async function create({ client }: Cluster, spec: Partial<PodSpec>): Promise<Pod | string> {
  const containers = [{ name: "main", image: "nginx" }];
  try {
    return await client.create(Pod, { metadata: { namespace: "default", name: "web" }, spec: { containers, ...spec } }, { dryRun: true });
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.status.message ?? "";
  }
}

test("a pod that names a RuntimeClass gets what it costs and where it is, and is refused if there is none or it says otherwise", async () => {
  await using cluster = await startCluster({ controllers: [], nodes: 0, scheduler: false });
  assert.equal(
    await create(cluster, { runtimeClassName: "gvisor" }),
    'pods "web" is forbidden: pod rejected: RuntimeClass "gvisor" not found',
  );
  await cluster.client.create(RuntimeClass, {
    metadata: { name: "gvisor" },
    handler: "runsc",
    overhead: { podFixed: { cpu: "10m" } },
    scheduling: { nodeSelector: { sandbox: "yes" }, tolerations: [{ key: "sandbox", operator: "Exists" }] },
  });
  const pod = await create(cluster, { runtimeClassName: "gvisor", nodeSelector: { disk: "fast" } });
  assert.ok(typeof pod !== "string");
  assert.deepEqual([pod.spec?.overhead, pod.spec?.nodeSelector], [{ cpu: "10m" }, { disk: "fast", sandbox: "yes" }]);
  assert.equal(pod.spec?.tolerations?.at(-1)?.key, "sandbox");
  const refusals = [
    await create(cluster, { runtimeClassName: "gvisor", nodeSelector: { sandbox: "no" } }),
    await create(cluster, { runtimeClassName: "gvisor", overhead: { cpu: "20m" } }),
    await create(cluster, { overhead: { cpu: "20m" } }),
  ];
  assert.deepEqual(refusals, [
    'pods "web" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no',
    "pods \"web\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    'pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ]);
});
