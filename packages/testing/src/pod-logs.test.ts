import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiError } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned, use } from "@kaji/runtime";
import { ConfigMap, Pod } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

const Probe = defineResource({ group: "shop.example.com", version: "v1", kind: "Probe", spec: z.object({ tail: z.int32() }) });

/** Runs a Pod to its end, and keeps the last lines that it has written. */
const probes = defineController(Probe, {
  owns: [ConfigMap, owned(Pod, { applied: false })],
  uses: [use(Pod, "get/log")],
  async reconcile({ metadata: { name }, spec: { tail } }, { apply, create, deadline, live }) {
    const spec = { restartPolicy: "Never", containers: [{ name: "probe", image: "probe" }] } as const;
    const { metadata, status } = await create(Pod, { metadata: { name }, spec });
    if (status?.phase !== "Succeeded") return;
    const lines: string[] = [];
    for await (const line of live.logs(metadata, { tailLines: tail, signal: deadline("10s") })) lines.push(line);
    await apply(ConfigMap, { metadata: { name }, data: { log: lines.join("\n") } });
  },
});

test("[DEF12] a controller reads the logs of Pods with the right to get them alone", async () => {
  await using cluster = await testCluster({ controllers: [probes] });
  cluster.pods.match({}).logs(["one", "two", "three"]).succeed();
  await cluster.client.create(Probe, { metadata: { name: "links", namespace: "default" }, spec: { tail: 2 } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/links")).data?.["log"], "two\nthree");
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("[DEF12] the log of a Pod that is not there, or of a container that has not begun, is an error with its reason", async () => {
  const reasons: string[] = [];
  const reading = defineController(Probe, {
    uses: [use(Pod, "get/log")],
    async reconcile({ metadata: { name, namespace = "" } }, { live }) {
      const failed = async () => {
        for await (const line of live.logs({ namespace, name })) assert.fail(line);
      };
      await assert.rejects(failed, ({ reason }: ApiError) => reasons.push(reason) > 0);
    },
  });
  await using cluster = await testCluster({ controllers: [reading], delays: { startMs: 60_000 } });
  const waiting = { metadata: { name: "waiting", namespace: "default" } };
  await cluster.client.create(Pod, { ...waiting, spec: { containers: [{ name: "probe", image: "probe" }] } });
  await cluster.client.create(Probe, { metadata: { name: "gone", namespace: "default" }, spec: { tail: 1 } });
  await cluster.settled();
  await cluster.client.create(Probe, { ...waiting, spec: { tail: 1 } });
  await cluster.settled();
  assert.deepEqual(reasons, ["NotFound", "BadRequest"]);
});
