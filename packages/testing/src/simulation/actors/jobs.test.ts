import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { Job } from "@kaji/types/batch/v1";
import { explore } from "../../exploration/explore.ts";
import { jobs } from "./jobs.ts";

const Dump = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Dump",
  spec: z.object({}),
  status: z.object({ isDone: z.boolean().default(false) }),
});

const dumping = defineController(Dump, {
  owns: [owned(Job, { applied: false })],
  async reconcile(dump, { cache, client, setStatus }) {
    const { namespace = "", name } = dump.metadata;
    const job = cache.get(Job, { namespace, name });
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "dump", image: "dump" }] } } as const;
    if (job === undefined) await client.create(Job, setControllerReference(dump, { metadata: { namespace, name }, spec: { template } }));
    await setStatus({ isDone: job?.status?.completionTime !== undefined });
  },
});

test("a Job comes to its end, also if what waits for it is killed meanwhile", async () => {
  const { findings } = await explore({
    controllers: [dumping],
    world: [jobs],
    ops: (user) => [
      user.create(Dump, { metadata: { name: "d", namespace: "default" }, spec: {} }),
      user.create(Dump, { metadata: { name: "e", namespace: "default" }, spec: {} }),
    ],
    eventually: {
      "dumps are done": (world) => world.list(Dump).every(({ status }) => status?.isDone === true),
      "jobs say so as the real ones do": (world) =>
        world.list(Job).every(({ status }) => status?.conditions?.map(({ type }) => type).join() === "SuccessCriteriaMet,Complete"),
    },
    runs: 30,
  });
  assert.deepEqual(
    findings.map(({ violation }) => violation.message),
    [],
  );
});
